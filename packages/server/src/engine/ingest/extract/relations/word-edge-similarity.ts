/** How near single words are to edge types in meaning, by the embedding model. */

import type { Embed } from "../vectors.ts";
import { dot, toUnit } from "../vectors.ts";
import { type EdgeProfile, WORDED_EDGES } from "./edge-profile.ts";
import type { ContextWord } from "./sentence-context.ts";
import type { WordVectors } from "./word-vectors.ts";

export interface Similarity {
  readonly raw: Float32Array;
  /** Standardised over the edge types: 0 = as near as to the others. */
  readonly relative: Float32Array;
}

export interface WordEdgeSimilarity {
  /** null for a word without a vector. */
  find(word: string): Similarity | null;
}

const MAX_WORDS = 12_000;
/** Keeps words that are equally near to every edge type from telling between them. */
const LEAST_DEVIATION = 0.05;

/** Embeds each edge type's name, and of the first ones its triple in words. */
export async function embedEdges(
  edges: readonly EdgeProfile[],
  embed: Embed,
): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const [at, edge] of edges.entries()) {
    const label = await embed(edge.label);
    const triple = at < WORDED_EDGES ? await embed(edge.verbalised) : label;
    vectors.push(toUnit(label.map((value, at) => 0.7 * value + 0.3 * (triple[at] ?? 0))));
  }
  return vectors;
}

/** Embeds the names of what each edge type's targets may be, as far as they are named. */
export async function embedTargets(
  edges: readonly EdgeProfile[],
  embed: Embed,
): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const { targetNames, label } of edges) vectors.push(await embed(targetNames[0] ?? label));
  return vectors;
}

export function createWordEdgeSimilarity(
  edges: readonly Float32Array[],
  vectors: WordVectors,
): WordEdgeSimilarity {
  const known = new Map<string, Similarity>();
  return {
    find(word) {
      const before = known.get(word);
      if (before !== undefined) return before;
      const vector = vectors.find(word);
      if (vector === null) return null;
      const similarity = standardise(Float32Array.from(edges, (edge) => dot(edge, vector)));
      if (known.size >= MAX_WORDS) known.clear();
      known.set(word, similarity);
      return similarity;
    },
  };
}

/** Standardised over the edge types. */
export function standardise(raw: Float32Array): Similarity {
  const mean = raw.reduce((sum, value) => sum + value, 0) / (raw.length || 1);
  const variance = raw.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (raw.length || 1);
  const deviation = Math.sqrt(variance) + LEAST_DEVIATION;
  return { raw, relative: raw.map((value) => (value - mean) / deviation) };
}

/** The nearest of some words. */
export function bestSimilarity(similarity: WordEdgeSimilarity, words: readonly ContextWord[], edge: number) {
  const best = { raw: 0, relative: 0 };
  for (const word of words) {
    if (!word.isVerb && !word.isNoun) continue;
    const found = similarity.find(word.lemma);
    if (found === null) continue;
    best.raw = Math.max(best.raw, found.raw[edge] ?? 0);
    best.relative = Math.max(best.relative, found.relative[edge] ?? 0);
  }
  return best;
}
