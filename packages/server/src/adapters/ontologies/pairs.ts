import type { EdgeType } from "../../domain/ontology/types.ts";

/** Pairs of source and target types of one edge type, and of all, and about what is written for them. */
const MAX_PAIRS = { ofEdge: 1_000, ofAll: 50_000 } as const;
const MAX_CHARACTERS = { ofEdge: 4 * 1024 * 1024, ofAll: 16 * 1024 * 1024 } as const;
/** Of a pair, without names; the longest of all formats. */
const PAIR_CHARACTERS = 250;
const NAME_WEIGHT = 9;

/**
 * The edge types that begin at each node type. Those of whose pairs very much would be written are left out, whose files would be
 * gigabytes: every format also lists the source types, the target types and the properties of each edge type once.
 * `charactersOf`: what each pair of an edge type has besides its types.
 */
export function createPairs(
  edges: readonly EdgeType[],
  charactersOf: (edge: EdgeType) => number = () => 0,
): ReadonlyMap<string, readonly EdgeType[]> {
  const bySource = new Map<string, EdgeType[]>();
  const left = { pairs: MAX_PAIRS.ofAll as number, characters: MAX_CHARACTERS.ofAll as number };
  for (const edge of edges) {
    const pairs = edge.sourceTypes.length * edge.targetTypes.length;
    if (pairs > MAX_PAIRS.ofEdge || pairs > left.pairs) continue;
    const characters = pairs * (PAIR_CHARACTERS + charactersOf(edge)) + charactersOfNames(edge);
    if (characters > MAX_CHARACTERS.ofEdge || characters > left.characters) continue;
    left.pairs -= pairs;
    left.characters -= characters;
    for (const source of edge.sourceTypes) {
      const known = bySource.get(source);
      if (known === undefined) bySource.set(source, [edge]);
      else known.push(edge);
    }
  }
  return bySource;
}

/** Names are written several times for each pair, or once with each letter as up to nine characters. */
function charactersOfNames({ sourceTypes, targetTypes }: EdgeType): number {
  const lengthOf = (names: readonly string[]) => names.reduce((sum, { length }) => sum + length, 0);
  return (
    NAME_WEIGHT * (sourceTypes.length * lengthOf(targetTypes) + targetTypes.length * lengthOf(sourceTypes))
  );
}
