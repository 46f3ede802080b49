/** Tells how well the types of two names fit the edge types that may join them. */

import type { EdgeProfile } from "../relations/edge-profile.ts";
import type { SentenceName } from "./sentence-names.ts";

export interface NamePair {
  readonly source: SentenceName;
  readonly target: SentenceName;
  /** Index into the edges. */
  readonly edge: number;
}

export interface FittingPair extends NamePair {
  readonly source: TypedName;
  readonly target: TypedName;
  /** The first of `PAIR_FEATURES`. */
  readonly types: readonly number[];
}

/** A name as an end of each edge type: read once, for all pairs that it is in. */
interface EdgeEnds {
  /** Of the likeliest type that the edge type takes at this end. */
  readonly shares: Float64Array;
  readonly logs: Float64Array;
}

export interface TypedName extends SentenceName {
  readonly asSource: EdgeEnds;
  readonly asTarget: EdgeEnds;
  /** Of its likeliest type. */
  readonly most: number;
}

type ProfiledEdges = readonly { readonly profile: EdgeProfile }[];

const FLOOR = 0.003;
/** Below, the names are too unlikely to be of the types that the edge type joins. */
const LEAST_FIT = 0.002;
const WORST_FIT = -12;

/** In time by the lists of types of all edges. */
export function typeName(name: SentenceName, edges: ProfiledEdges): TypedName {
  const shares = softmax(name.logShares);
  const endsOf = (side: "sources" | "targets"): EdgeEnds => {
    const own = Float64Array.from(edges, ({ profile }) => {
      let most = 0;
      for (const type of profile[side]) most = Math.max(most, shares[type] ?? 0);
      return most;
    });
    return { shares: own, logs: own.map((share) => Math.log(share + FLOOR)) };
  };
  const most = shares.reduce((best, share) => Math.max(best, share), Number.NEGATIVE_INFINITY);
  return { ...name, asSource: endsOf("sources"), asTarget: endsOf("targets"), most };
}

function softmax(logits: readonly number[]): Float64Array {
  const highest = logits.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
  const parts = Float64Array.from(logits, (logit) => Math.exp(logit - highest));
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.map((part) => part / sum);
}

/** Both ways round, for each edge type whose types may fit; at most so many. */
export function fitsOf(
  [first, second]: readonly [TypedName, TypedName],
  edges: ProfiledEdges,
  limit: number,
): readonly FittingPair[] {
  if (limit <= 0 || first.key === second.key) return [];
  const ways = [[first, second] as const, [second, first] as const];
  const fitOf = ([source, target]: readonly [TypedName, TypedName], edge: number) =>
    source.asSource.logs[edge]! + target.asTarget.logs[edge]!;
  const rivalOf = bestOfOthers(
    Float64Array.from(edges, ({ profile }, edge) =>
      profile.value !== "entity"
        ? WORST_FIT
        : ways.reduce((most, way) => Math.max(most, fitOf(way, edge)), WORST_FIT),
    ),
  );
  const found: FittingPair[] = [];
  for (const [edge, { profile }] of edges.entries()) {
    if (profile.value !== "entity") continue;
    for (const way of ways) {
      const [source, target] = way;
      if (found.length >= limit) return found;
      if (source.asSource.shares[edge]! * target.asTarget.shares[edge]! < LEAST_FIT) continue;
      const lead = ({ shares }: EdgeEnds, { most }: TypedName) =>
        Math.log((shares[edge]! + FLOOR) / (most + FLOOR));
      const types = [
        source.asSource.logs[edge]!,
        target.asTarget.logs[edge]!,
        lead(source.asSource, source),
        lead(target.asTarget, target),
        source.none,
        target.none,
        Number(source.mention.kind === "noun"),
        Number(target.mention.kind === "noun"),
        // An ontology of one edge type has no rival, which says nothing for the pair.
        edges.length === 1
          ? 0
          : Math.max(-6, Math.min(6, fitOf(way, edge) - Math.max(WORST_FIT, rivalOf(edge)))),
      ];
      found.push({ source, target, edge, types });
    }
  }
  return found;
}

/** For each place the largest of the other values; −∞ where there is none. */
export function bestOfOthers(values: readonly number[] | Float64Array): (at: number) => number {
  let first = -1;
  let second = -1;
  for (const [at, value] of values.entries()) {
    if (first < 0 || value > values[first]!) {
      second = first;
      first = at;
    } else if (second < 0 || value > values[second]!) second = at;
  }
  return (at) => values[at === first ? second : first] ?? Number.NEGATIVE_INFINITY;
}
