/** Personalised PageRank over the passages and names read for one question, not over the corpus. */
import type { Passage } from "./neighbourhood.ts";

const DAMPING = 0.5;
const ROUNDS = 10;

/**
 * The rank of each passage, by id, as a share of the highest rank. The undirected graph has an edge of
 * equal weight between each passage and each name that it mentions or is about. Restarts are in proportion to
 * the given weights (Haveliwala 2002; damping ½ as in HippoRAG, Gutiérrez et al. 2024). Linear in the number
 * of edges.
 */
export function rankByLinks(
  passages: Iterable<Passage>,
  restarts: { readonly passages: ReadonlyMap<string, number>; readonly names: ReadonlyMap<string, number> },
): ReadonlyMap<string, number> {
  const { ids, edges, nameCount, names } = collectEdges(passages);
  const reset = new Float64Array(nameCount + ids.length);
  for (const [name, weight] of restarts.names) {
    const at = names.get(name);
    if (at !== undefined) reset[at] = weight;
  }
  for (const [at, id] of ids.entries()) reset[nameCount + at] = restarts.passages.get(id) ?? 0;
  const ranks = iterate(edges, normalized(reset)).subarray(nameCount);
  const most = ranks.reduce((one, other) => Math.max(one, other), 0);
  return new Map(ids.map((id, at) => [id, most === 0 ? 0 : (ranks[at] ?? 0) / most]));
}

interface Edges {
  /** The ends of each edge: node numbers, those of names before those of passages. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly degrees: Float64Array;
}

function collectEdges(passages: Iterable<Passage>) {
  const names = new Map<string, number>();
  const ids: string[] = [];
  const pairs: number[] = [];
  for (const { id, names: mentioned, knowledge } of passages) {
    const own = new Set([...mentioned.keys(), ...(knowledge?.subjects ?? []).map(({ name }) => name)]);
    for (const name of own) {
      const at = names.get(name) ?? names.size;
      names.set(name, at);
      pairs.push(at, ids.length);
    }
    ids.push(id);
  }
  return { ids, names, nameCount: names.size, edges: edgesOf(pairs, names.size, ids.length) };
}

function edgesOf(pairs: readonly number[], nameCount: number, passageCount: number): Edges {
  const from = new Int32Array(pairs.length / 2);
  const to = new Int32Array(pairs.length / 2);
  const degrees = new Float64Array(nameCount + passageCount);
  for (let edge = 0; edge < from.length; edge++) {
    const one = pairs[2 * edge] ?? 0;
    const other = nameCount + (pairs[2 * edge + 1] ?? 0);
    from[edge] = one;
    to[edge] = other;
    degrees[one] = (degrees[one] ?? 0) + 1;
    degrees[other] = (degrees[other] ?? 0) + 1;
  }
  return { from, to, degrees };
}

function normalized(weights: Float64Array): Float64Array {
  const sum = weights.reduce((one, other) => one + other, 0);
  return sum === 0 ? weights : weights.map((weight) => weight / sum);
}

function iterate({ from, to, degrees }: Edges, reset: Float64Array): Float64Array {
  let ranks = reset;
  for (let round = 0; round < ROUNDS; round++) {
    const next = reset.map((weight) => (1 - DAMPING) * weight);
    for (let edge = 0; edge < from.length; edge++) {
      const one = from[edge] ?? 0;
      const other = to[edge] ?? 0;
      next[other] = (next[other] ?? 0) + (DAMPING * (ranks[one] ?? 0)) / (degrees[one] ?? 1);
      next[one] = (next[one] ?? 0) + (DAMPING * (ranks[other] ?? 0)) / (degrees[other] ?? 1);
    }
    ranks = next;
  }
  return ranks;
}
