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

/** Inner product of vectors of one length; of unit vectors their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

/**
 * Inner products with each of some rows. Four rows at a time, each summed in the order of `dot`: a sum waits for its last addition, so
 * that four side by side take hardly longer than one.
 */
export function dotAll(vector: Float32Array, rows: readonly Float32Array[]): Float64Array {
  const products = new Float64Array(rows.length);
  const blocked = rows.length - (rows.length % 4);
  for (let row = 0; row < blocked; row += 4) {
    // Below `rows.length`.
    const [a, b, c, d] = [rows[row]!, rows[row + 1]!, rows[row + 2]!, rows[row + 3]!];
    let [ofA, ofB, ofC, ofD] = [0, 0, 0, 0];
    for (let at = 0; at < vector.length; at++) {
      const value = vector[at]!;
      ofA += value * a[at]!;
      ofB += value * b[at]!;
      ofC += value * c[at]!;
      ofD += value * d[at]!;
    }
    products[row] = ofA;
    products[row + 1] = ofB;
    products[row + 2] = ofC;
    products[row + 3] = ofD;
  }
  for (let row = blocked; row < rows.length; row++) products[row] = dot(vector, rows[row]!);
  return products;
}

/** The unit vector of a weighted sum; null of nothing. */
export function meanVector(
  vectors: readonly { readonly vector: Float32Array; readonly weight: number }[],
): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  const sum = new Float32Array(first.vector.length);
  for (const { vector, weight } of vectors) {
    for (let at = 0; at < sum.length; at++) sum[at] = sum[at]! + weight * vector[at]!;
  }
  const norm = Math.sqrt(dot(sum, sum)) || 1;
  for (let at = 0; at < sum.length; at++) sum[at] = sum[at]! / norm;
  return sum;
}
