/** What the examples of an edge type say about a candidate: like contexts, like words, like ends. */

import type { WordVectors } from "../pairs/word-vectors.ts";
import { dotAll, meanVector } from "../vectors.ts";
import { type CandidateView, type FeatureInput, memoryKey } from "./feature-input.ts";
import type { ContextWord } from "./sentence-context.ts";

export const exampleNames = [
  "exampleBefore",
  "exampleBetween",
  "exampleTarget",
  "exampleTriggerNear",
  "exampleTriggerBetween",
  "examplePreposition",
  "exampleKind",
  "exampleDirection",
  "exampleBest",
  "hasExamples",
] as const;

export function writeExampleFeatures(row: number[], view: CandidateView, input: FeatureInput): void {
  const { candidate, target, between } = view;
  const prototypes = input.prototypes[candidate.edge] ?? null;
  const mention = input.view.mentions[candidate.target];
  if (prototypes === null || mention === undefined) {
    row.push(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    return;
  }
  const { source, target: at, edge } = candidate;
  const before = nearestOf(input, {
    key: memoryKey("before", at),
    edge,
    words: target.before,
    prototypes: prototypes.before,
  });
  const middle = nearestOf(input, {
    key: memoryKey("between", source.mention, at),
    edge,
    words: between.words,
    prototypes: prototypes.between,
  });
  const own = nearestOf(input, {
    key: memoryKey("inside", at),
    edge,
    words: input.view.wordsOf(at),
    prototypes: prototypes.targets,
  });
  const near = bestOf(target.before, prototypes.triggers);
  const amid = bestOf(between.words, prototypes.triggers);
  const isAfter = candidate.source.range.from < mention.from;
  row.push(
    before,
    middle,
    own,
    near,
    amid,
    prototypes.prepositions.get(target.preposition) ?? 0,
    prototypes.kinds.get(mention.kind) ?? 0,
    isAfter ? prototypes.targetAfter : 1 - prototypes.targetAfter,
    Math.max(before, middle) + Math.max(near, amid),
    1,
  );
}

function bestOf(words: readonly ContextWord[], weights: ReadonlyMap<string, number>): number {
  let best = 0;
  for (const { stems } of words) for (const stem of stems) best = Math.max(best, weights.get(stem) ?? 0);
  return best;
}

export function nearest(vector: Float32Array | null, prototypes: readonly Float32Array[]): number {
  if (vector === null) return 0;
  let best = 0;
  for (const product of dotAll(vector, prototypes)) if (product > best) best = product;
  return best;
}

interface Stretch {
  readonly key: number;
  readonly edge: number;
  readonly words: readonly ContextWord[];
  readonly prototypes: readonly Float32Array[];
}

/** How near a stretch of words is to an edge type's prototypes; asked once for all the candidates that share it. */
export function nearestOf(input: FeatureInput, { key, edge, words, prototypes }: Stretch): number {
  let known = input.nearest.get(key);
  if (known === undefined) {
    known = new Float64Array(input.prototypes.length).fill(-1);
    input.nearest.set(key, known);
  }
  const before = known[edge] ?? -1;
  if (before >= 0) return before;
  let vector = input.stretches.get(key);
  if (vector === undefined) {
    vector = wordsVector(words, input.vectors);
    input.stretches.set(key, vector);
  }
  const made = nearest(vector, prototypes);
  known[edge] = made;
  return made;
}

/** Verbs and nouns count more than what joins them. */
export function wordsVector(words: readonly ContextWord[], vectors: WordVectors): Float32Array | null {
  return meanVector(
    words.flatMap((word, rank) => {
      const vector = vectors.find(word.lemma);
      if (vector === null) return [];
      return [{ vector, weight: (word.isVerb || word.isNoun ? 1 : 0.4) / (1 + 0.15 * rank) }];
    }),
  );
}
