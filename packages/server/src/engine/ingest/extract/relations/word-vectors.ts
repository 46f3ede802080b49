/** Vectors of single words by the embedding model, with a bound: the verbs and nouns of a language recur. */

export type Embed = (text: string) => Promise<Float32Array>;

/** 1.5 kB each. */
const MAX_WORDS = 12_000;

export interface WordVectors {
  /** Embeds the words that are not there yet: about 1 ms each. When the bound is reached, all are forgotten first. */
  load(words: Iterable<string>): Promise<void>;
  /** Unit vector; null for a word that was not loaded. */
  find(word: string): Float32Array | null;
}

export function createWordVectors(embed: Embed): WordVectors {
  const vectors = new Map<string, Float32Array>();
  return {
    async load(words) {
      const wanted = new Set(words);
      const missing = [...wanted].filter((word) => !vectors.has(word));
      if (vectors.size + missing.length > MAX_WORDS) vectors.clear();
      for (const word of vectors.size === 0 ? wanted : missing) vectors.set(word, await embed(word));
    },
    find: (word) => vectors.get(word) ?? null,
  };
}

/** Inner product; of unit vectors their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** The unit vector of a weighted sum; null of nothing. */
export function meanVector(
  vectors: readonly { readonly vector: Float32Array; readonly weight: number }[],
): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  const sum = new Float32Array(first.vector.length);
  for (const { vector, weight } of vectors) {
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
  }
  const norm = Math.sqrt(dot(sum, sum)) || 1;
  return sum.map((value) => value / norm);
}
