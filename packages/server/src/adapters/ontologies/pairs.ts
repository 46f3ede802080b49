import type { EdgeType } from "../../domain/ontology/types.ts";

/** Pairs of source and target types of one edge type, and of all. */
const MAX_PAIRS = { ofEdge: 1_000, ofAll: 50_000 } as const;

/**
 * The edge types that begin at each node type. Those with very many pairs are left out, whose files would be gigabytes: every
 * format also lists the source and the target types of each edge type.
 */
export function createPairs(edges: readonly EdgeType[]): ReadonlyMap<string, readonly EdgeType[]> {
  const bySource = new Map<string, EdgeType[]>();
  let left: number = MAX_PAIRS.ofAll;
  for (const edge of edges) {
    const pairs = edge.sourceTypes.length * edge.targetTypes.length;
    if (pairs > MAX_PAIRS.ofEdge || pairs > left) continue;
    left -= pairs;
    for (const source of edge.sourceTypes) {
      const known = bySource.get(source);
      if (known === undefined) bySource.set(source, [edge]);
      else known.push(edge);
    }
  }
  return bySource;
}
