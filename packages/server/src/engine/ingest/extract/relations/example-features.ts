/** What the examples of an edge type say about a candidate: like contexts, like words, like ends. */

import type { CandidateView, FeatureInput, StretchVectors } from "./feature-input.ts";
import type { ContextWord } from "./sentence-context.ts";
import { dot, meanVector, type WordVectors } from "./word-vectors.ts";

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
  const vectorOf = (key: string, words: readonly ContextWord[]) =>
    remembered(input.stretches, key, () => wordsVector(words, input.vectors));
  const { source, target: at } = candidate;
  const before = nearest(vectorOf(`before ${at}`, target.before), prototypes.before);
  const middle = nearest(vectorOf(`${source.mention} ${at}`, between.words), prototypes.between);
  const own = nearest(vectorOf(`inside ${at}`, input.view.wordsOf(at)), prototypes.targets);
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
  for (const prototype of prototypes) best = Math.max(best, dot(vector, prototype));
  return best;
}

export function remembered(
  memory: StretchVectors,
  key: string,
  make: () => Float32Array | null,
): Float32Array | null {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
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
