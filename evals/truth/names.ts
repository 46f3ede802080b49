/** When two names count as the same, and which types are right for them. */

/** Without article, case and marks. */
export function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^(?:the|an?)\s+/, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export const isSame = (one: string, other: string): boolean => plain(one) === plain(other);

/** Whether one name contains the other, in whole words. */
export function isNear(one: string, other: string): boolean {
  const [a, b] = [` ${plain(one)} `, ` ${plain(other)} `];
  return a.includes(b) || b.includes(a);
}

/** The types without an ontology that are right for a kind of name; a kind that is not listed has none. */
export const typesOfKind: Readonly<Record<string, readonly string[]>> = {
  person: ["Person"],
  organization: ["Organization"],
  place: ["Location"],
  product: ["Product"],
  work: ["Work"],
  event: ["Event"],
  chemical: ["Chemical"],
};
/** Kinds that are no entities without an ontology. */
export const values: ReadonlySet<string> = new Set(["date", "measure"]);
