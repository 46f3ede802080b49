/** Where the search for a pattern begins, and in which order it goes along the edges. */
import type { GraphPattern, NodePattern } from "../../domain/pattern.ts";
import type { GraphTypes } from "../../ports/graph-store.ts";

/** From a node that is known along an edge to the next one. */
export interface Hop {
  /** Indices into the pattern. */
  readonly from: number;
  readonly to: number;
  readonly edge: number;
}

export interface MatchPlan {
  /** Index of the node. */
  readonly start: number;
  readonly hops: readonly Hop[];
}

/** Few entities have a given name, and of those with a part of one, few are read. */
const ENTITIES_OF_NAME = 1;
const ENTITIES_OF_PART = 200;
/** As many types as `readGraphTypes` reads; then there may be others. */
const MAX_TYPES = 1_000;

/**
 * Begins at the node that the fewest entities can be, of equal ones at the first, then goes to the beginning of the pattern and
 * from there to its end. null: the graph has no relationship of the types of an edge, so that there is nothing to find.
 */
export function planMatch(
  pattern: Pick<GraphPattern, "nodes" | "edges">,
  types: GraphTypes,
): MatchPlan | null {
  const { nodes, edges } = pattern;
  const isKnown = (type: string) => types.relationships.some((each) => each.type === type);
  const areAll = types.relationships.length < MAX_TYPES;
  if (areAll && edges.some((edge) => edge.types.length > 0 && !edge.types.some(isKnown))) return null;
  const costs = nodes.map((node) => countOf(node, types));
  const start = costs.indexOf(Math.min(...costs));
  const before = edges.slice(0, start).map((_, at) => start - 1 - at);
  const behind = edges.slice(start).map((_, at) => start + at);
  return {
    start,
    hops: [
      ...before.map((edge) => ({ from: edge + 1, to: edge, edge })),
      ...behind.map((edge) => ({ from: edge, to: edge + 1, edge })),
    ],
  };
}

function countOf({ entityId, name, types }: NodePattern, known: GraphTypes): number {
  if (entityId !== null) return 1;
  const counts = known.entities.filter(({ type }) => types.length === 0 || types.includes(type));
  const ofType = counts.reduce((sum, { count }) => sum + count, 0);
  if (name === null) return ofType;
  return Math.min(ofType, name.isPart ? ENTITIES_OF_PART : ENTITIES_OF_NAME);
}
