import type { EntityDetail, ListedCorrection } from "@kcs/sdk";

type Rejection = Extract<ListedCorrection, { kind: "reject" }>;

/** The rejections of relationships of an entity, under any of its names: corrections have other names in their normal form. */
export function rejectedOf(
  { type, name, aliases }: Pick<EntityDetail, "type" | "name" | "aliases">,
  corrections: readonly ListedCorrection[],
): readonly Rejection[] {
  const names = new Set([name, ...aliases].map((each) => each.toLowerCase()));
  const isMeant = (end: Rejection["source"]) =>
    [end, ...end.also].some((each) => each.type === type && names.has(each.name.toLowerCase()));
  return corrections.flatMap((each) =>
    each.kind === "reject" && (isMeant(each.source) || isMeant(each.target)) ? [each] : [],
  );
}
