import type { ListedCorrection } from "@kcs/sdk";

interface End {
  readonly type: string;
  readonly name: string;
}

export interface TypedRelationship {
  readonly source: End;
  readonly type: string;
  readonly target: End;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
}

/** The correction that added a relationship with these times: its ends may have been called otherwise then. */
export function additionOf(
  { source, type, target, valid_from: from, valid_to: until }: TypedRelationship,
  corrections: readonly ListedCorrection[],
): Extract<ListedCorrection, { kind: "add_relationship" }> | null {
  for (const each of corrections) {
    if (each.kind !== "add_relationship" || each.type !== type) continue;
    if (each.valid_from !== from || each.valid_to !== until) continue;
    if (isNamed(each.source, source) && isNamed(each.target, target)) return each;
  }
  return null;
}

function isNamed(given: End & { readonly also: readonly End[] }, { type, name }: End): boolean {
  return [given, ...given.also].some((each) => each.name === name && each.type === type);
}
