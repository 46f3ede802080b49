/** The features by which passages are ranked. Their values are comparable between corpora. */

import type { Path } from "./bridge.ts";
import { idOf, type ScoredChunk } from "./graph-reader.ts";
import { largest, type Passage } from "./neighbourhood.ts";

/** In the order of the feature vectors. */
export const FEATURES = [
  "fused",
  "fusedShare",
  "lexical",
  "dense",
  "linked",
  "mentioned",
  "covered",
  "sentence",
  "rest",
  "bridge",
  "bridgeSeed",
  "bridgeSentence",
  "bridgeRest",
  "bridgeRarity",
  "bridgeLinked",
  "bridgeSum",
  "bridgeFirst",
  "bridged",
  "bridgeTarget",
  "pageRank",
  "pageRankFirst",
] as const;

export type Feature = (typeof FEATURES)[number];
export type FeatureVector = Float32Array;

/** Features of the hybrid search and of sentence vectors; the focus on names does not change them. */
const FOCUS_INDEPENDENT: ReadonlySet<Feature> = new Set([
  "fused",
  "fusedShare",
  "lexical",
  "dense",
  "sentence",
  "rest",
]);

/** The findings about one question from which features are computed. */
export interface Evidence {
  /** The best hybrid score. */
  readonly best: number;
  /** Weight of the names in the question, 0…1; multiplies the features that depend on names. */
  readonly focus: number;
  /** By passage id: how much the passage is about a linked name, 0…1. */
  readonly linked: ReadonlyMap<string, number>;
  readonly linkedNames: ReadonlySet<string>;
  /** Best first. */
  readonly paths: readonly Path[];
  readonly pageRank: ReadonlyMap<string, number>;
}

export function createFeatures(evidence: Evidence) {
  const paths = groupByTarget(evidence.paths);
  const namesBySeed = rankNamesBySeed(evidence.paths);
  const ranked = [...evidence.pageRank].sort(([, one], [, other]) => other - one);
  const pageRankPlaces = new Map(ranked.map(([id], at) => [id, at]));
  return (scored: ScoredChunk, passage: Passage | undefined): FeatureVector => {
    const id = idOf(scored);
    const own = paths.get(id) ?? [];
    const path = own[0];
    const rest = largest(passage?.nearness.rest ?? []);
    const { mentioned, covered } = coverageOf(passage, evidence);
    const pageRankPlace = pageRankPlaces.get(id);
    const values: Record<Feature, number> = {
      fused: scored.score,
      fusedShare: evidence.best > 0 ? scored.score / evidence.best : 0,
      lexical: scored.lexical,
      dense: scored.dense,
      linked: evidence.linked.get(id) ?? 0,
      mentioned,
      covered,
      sentence: largest(passage?.nearness.question ?? []),
      rest,
      bridge: Math.min(2, path?.score ?? 0),
      bridgeSeed: path?.seed.weight ?? 0,
      bridgeSentence: path?.nearness ?? 0,
      bridgeRest: path?.restNearness ?? 0,
      bridgeRarity: path?.rarity ?? 0,
      bridgeLinked: path === undefined ? 0 : (evidence.linked.get(path.seed.passage.id) ?? 0),
      bridgeSum: Math.log1p(own.reduce((sum, { score }) => sum + score, 0)),
      bridgeFirst: largest(
        own.map((each) => 1 / (1 + (namesBySeed.get(each.seed.passage.id)?.indexOf(each.name) ?? 99))),
      ),
      bridged: path === undefined ? 0 : 1,
      bridgeTarget: Math.min(2, path?.score ?? 0) * rest,
      pageRank: evidence.pageRank.get(id) ?? 0,
      pageRankFirst: pageRankPlace === undefined ? 0 : 1 / Math.log2(2 + pageRankPlace),
    };
    return Float32Array.from(
      FEATURES,
      (feature) => (FOCUS_INDEPENDENT.has(feature) ? 1 : evidence.focus) * values[feature],
    );
  };
}

/** The shares of linked names that the passage mentions, and that it mentions or is about. */
function coverageOf(passage: Passage | undefined, { linkedNames }: Evidence) {
  let mentioned = 0;
  let covered = 0;
  const about = new Set(passage?.knowledge?.subjects.map(({ name }) => name));
  for (const name of linkedNames) {
    const isMentioned = passage?.names.has(name) === true;
    if (isMentioned) mentioned++;
    if (isMentioned || about.has(name)) covered++;
  }
  const count = Math.max(1, linkedNames.size);
  return { mentioned: mentioned / count, covered: covered / count };
}

/** Paths by target, in their given order. */
export function groupByTarget(paths: readonly Path[]): ReadonlyMap<string, readonly Path[]> {
  const groups = new Map<string, Path[]>();
  for (const path of paths) {
    const group = groups.get(path.target);
    if (group === undefined) groups.set(path.target, [path]);
    else group.push(path);
  }
  return groups;
}

/** By seed: the names on its paths, ordered by the nearness of their sentence to the rest of the question. */
function rankNamesBySeed(paths: readonly Path[]): ReadonlyMap<string, readonly string[]> {
  const bySeed = new Map<string, Map<string, number>>();
  for (const { seed, name, restNearness } of paths) {
    const names = bySeed.get(seed.passage.id) ?? new Map<string, number>();
    bySeed.set(seed.passage.id, names.set(name, restNearness));
  }
  return new Map(
    [...bySeed].map(([id, names]) => [
      id,
      [...names].sort(([, one], [, other]) => other - one).map(([name]) => name),
    ]),
  );
}
