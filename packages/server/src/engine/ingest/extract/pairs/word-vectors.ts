/** Vectors of single words by the embedding model, with a bound: the verbs and nouns of a language recur. */

import type { Embed } from "../vectors.ts";

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
