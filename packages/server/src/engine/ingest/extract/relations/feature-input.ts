/** What the blocks of features read, and what examples are made into. */

import type { WordVectors } from "../pairs/word-vectors.ts";
import type { Candidate } from "./candidates.ts";
import type { EdgeProfile } from "./edge-profile.ts";
import type { BetweenContext, MentionContext, SentenceView, VerbFrame } from "./sentence-context.ts";

export interface Similarity {
  readonly raw: Float32Array;
  /** Standardised over the edge types: 0 = as near as to the others. */
  readonly relative: Float32Array;
}

export interface FeatureInput {
  readonly view: SentenceView;
  readonly edges: readonly EdgeProfile[];
  readonly candidates: readonly Candidate[];
  /** Indexes of candidates whose targets overlap. */
  readonly groups: readonly (readonly number[])[];
  readonly vectors: WordVectors;
  /** One for each edge type; null for one without examples. */
  readonly prototypes: readonly (EdgePrototypes | null)[];
  /** Filled while the features of one sentence are made. */
  readonly stretches: StretchVectors;
  readonly nearest: NearestMemory;
  readonly states: StateMemory;
  /** The examples of all prototypes. */
  readonly examples: JoinedExamples;
  /** For an end of a relation its likeness to every example of every edge type, in their order. */
  readonly exampleDots: Map<number, Float32Array>;
  /** Of the edge types' names. */
  readonly edgeVectors: readonly Float32Array[];
}

/** What the blocks of features read of one candidate. */
export interface CandidateView {
  readonly candidate: Candidate;
  readonly profile: EdgeProfile;
  /** Around both ends. */
  readonly target: MentionContext;
  readonly source: MentionContext;
  readonly between: BetweenContext;
  /** The nearest group of verbs before the target, without a mention's own. */
  readonly frame: VerbFrame | null;
}

/** The ends and the sentence of one example. */
export interface ExampleStates {
  readonly target: Float32Array;
  /** null where the example's text lacks the source. */
  readonly source: Float32Array | null;
  readonly sentence: Float32Array;
}

/** The examples of all edge types in a row. */
export interface JoinedExamples {
  readonly targets: readonly Float32Array[];
  /** Zeros where the example's text lacks the source. */
  readonly sources: readonly Float32Array[];
  readonly sentences: readonly Float32Array[];
  /** Where each edge type's begin, and the end. */
  readonly firsts: readonly number[];
}

/** What is learned from an edge type's examples. */
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
  /** The targets' lemmas in a row. */
  readonly phrases: readonly (readonly string[])[];
  /** Mean vectors of the words after the target. */
  readonly after: readonly Float32Array[];
  /** Stems of the verbs before the target, by their share. */
  readonly verbs: ReadonlyMap<string, number>;
  /** Shares of the examples with a form of "to be" between the ends, and whose source begins the sentence. */
  readonly copula: number;
  readonly sourceFirst: number;
  /** Tokens between the ends. */
  readonly distances: readonly number[];
  readonly states: readonly ExampleStates[];
}

/** What is remembered of a sentence while its candidates are described. */
const MEMORIES = [
  "target",
  "head",
  "sentence",
  "before",
  "between",
  "inside",
  "after",
  "targets",
  "sources",
  "texts",
  "pairs",
  "phrases",
  "words",
] as const;

/** The key of what is remembered of one or two places: indexes of mentions or tokens, below zero for a subject from elsewhere. */
export function memoryKey(kind: (typeof MEMORIES)[number], at = 0, other = 0): number {
  return ((at + 8) * 4096 + other + 8) * MEMORIES.length + MEMORIES.indexOf(kind);
}

/** Vectors of stretches of the sentence, made once for each. */
export type StretchVectors = Map<number, Float32Array | null>;

/** For a stretch how near it is to each edge type's prototypes, −1 where nobody has asked yet. */
export type NearestMemory = Map<number, Float64Array>;

/** Filled while the features of one sentence are made: over all edge types at once. */
export type StateMemory = Map<number, Similarity>;
