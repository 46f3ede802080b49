/** Counts what a reply held that is not kept. */
import type { UnfitFact } from "../../../../domain/graph.ts";

/** Why something is not kept that no type is missing for. */
export type DropReason =
  | "malformed"
  | "not in the text"
  | "no evidence"
  | "of one thing"
  | "no such property";

export interface FitCounter {
  drop(reason: DropReason, example: unknown): void;
  /** The types or the pair that the ontology does not have. */
  unfit(what: Pick<UnfitFact, "kind" | "name" | "sourceType" | "targetType">, example: string): void;
  /** Each kind once with its count and first example; at most 40. */
  all(): readonly UnfitFact[];
}

const MAX_KINDS = 40;
const MAX_EXAMPLE = 300;

export function createFitCounter(): FitCounter {
  const counts = new Map<string, UnfitFact>();
  function add(what: Pick<UnfitFact, "kind" | "name" | "sourceType" | "targetType">, example: string): void {
    const id = [what.kind, what.sourceType, what.name, what.targetType].join("\n");
    const known = counts.get(id);
    if (known !== undefined) counts.set(id, { ...known, count: known.count + 1 });
    else if (counts.size < MAX_KINDS)
      counts.set(id, { ...what, count: 1, example: example.slice(0, MAX_EXAMPLE) });
  }
  return {
    drop(reason, example) {
      const quote = typeof example === "string" ? example : JSON.stringify(example);
      add({ kind: "dropped", sourceType: "", name: reason, targetType: "" }, quote);
    },
    unfit: add,
    all: () => [...counts.values()],
  };
}
