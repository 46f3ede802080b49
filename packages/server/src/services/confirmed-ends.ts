/** What the ends of proposals are taken for that a request confirms. */
import { normalizeName } from "../engine/text/names/normal-form.ts";
import type { CorrectionStore } from "../ports/correction-store.ts";
import type { GivenCorrection, GivenEntity } from "./given-correction.ts";

/** With the types that the caller leaves to the service. */
export async function takeEnds(
  store: Pick<CorrectionStore, "findConfirmedEnds">,
  projectId: string,
  given: readonly GivenCorrection[],
): Promise<readonly GivenCorrection[]> {
  const keyOf = ({ type, name }: GivenEntity) => ({ type, key: normalizeName(name) });
  const facts = given.flatMap((each) =>
    each.kind === "confirm"
      ? [{ type: each.type, source: keyOf(each.source), target: keyOf(each.target) }]
      : [],
  );
  if (facts.length === 0) return given;
  const taken = [...(await store.findConfirmedEnds({ projectId, facts, inTurn: true }))];
  return given.map((each) => {
    if (each.kind !== "confirm") return each;
    const ends = taken.shift();
    const sourceType = each.sourceType ?? ends?.source.type ?? each.source.type;
    const targetType = each.targetType ?? ends?.target.type ?? each.target.type;
    const { sourceType: _source, targetType: _target, ...rest } = each;
    return {
      ...rest,
      ...(sourceType !== each.source.type && { sourceType }),
      ...(targetType !== each.target.type && { targetType }),
    };
  });
}
