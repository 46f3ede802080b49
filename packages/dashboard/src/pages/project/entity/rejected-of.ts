import type { EntityDetail, ListedCorrection } from "@kcs/sdk";

type Rejection = Extract<ListedCorrection, { kind: "reject" }>;
type Name = Rejection["source"]["also"][number];

/**
 * The rejections of relationships of an entity, under any name and type that it has or had: corrections have other names in their normal
 * form. `corrections`: all, the newest first.
 */
export function rejectedOf(
  { type, name, aliases }: Pick<EntityDetail, "type" | "name" | "aliases">,
  corrections: readonly ListedCorrection[],
): readonly Rejection[] {
  const known = new Set([name, ...aliases].map((each) => keyOf({ type, name: each })));
  const isMeant = (names: readonly Name[]) => names.some((each) => known.has(keyOf(each)));
  // What an entity was made into by a later one leads to what it was before.
  for (const each of corrections)
    if (isMeant(madeBy(each))) for (const former of before(each)) known.add(keyOf(former));
  return corrections.flatMap((each) =>
    each.kind === "reject" && (isMeant(namesOf(each.source)) || isMeant(namesOf(each.target))) ? [each] : [],
  );
}

function madeBy(correction: ListedCorrection): readonly Name[] {
  switch (correction.kind) {
    case "retype":
      return namesOf(correction.entity).map(({ name }) => ({ type: correction.type, name }));
    case "rename":
      return [{ type: correction.entity.type, name: correction.name }];
    case "merge":
      return [correction.into];
    default:
      return [];
  }
}

function before(correction: ListedCorrection): readonly Name[] {
  return "entity" in correction ? namesOf(correction.entity) : [];
}

function namesOf({ type, name, also }: Rejection["source"]): readonly Name[] {
  return [{ type, name }, ...also];
}

function keyOf({ type, name }: Name): string {
  return `${type} ${name.toLowerCase()}`;
}
