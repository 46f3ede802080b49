/** What the examples of an edge type say about a candidate: like contexts, like words, like ends. */

import type { CandidateView, FeatureInput } from "./features.ts";
import type { ContextWord } from "./sentence-context.ts";
import type { ExampleStates } from "./state-features.ts";
import { dot, meanVector, type WordVectors } from "./word-vectors.ts";

/** Learned from an edge type's examples. */
export interface EdgePrototypes {
  /** Mean vectors of the words before the target, and between the ends. */
  readonly before: readonly Float32Array[];
  readonly between: readonly Float32Array[];
  readonly targets: readonly Float32Array[];
  /** Stem → 0…1: found in the contexts of these examples more than of other edge types'. */
  readonly triggers: ReadonlyMap<string, number>;
  readonly prepositions: ReadonlyMap<string, number>;
  /** Share of the examples by the kind of their target. */
  readonly kinds: ReadonlyMap<string, number>;
  /** Share of the examples whose target stands after the source. */
  readonly targetAfter: number;
  readonly states: readonly ExampleStates[];
}

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

function nearest(vector: Float32Array | null, prototypes: readonly Float32Array[]): number {
  if (vector === null) return 0;
  let best = 0;
  for (const prototype of prototypes) best = Math.max(best, dot(vector, prototype));
  return best;
}

/** Vectors of stretches of the sentence, made once for each. */
export type StretchVectors = Map<string, Float32Array | null>;

function remembered(
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
