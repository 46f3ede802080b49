import { stemmer } from "stemmer";

/** Reduces an English word in lower case `a`–`z` to its stem. */
export type Stem = (word: string) => string;

/** Shorter words are their own stems; longer ones are not English words. */
const STEMMED_LENGTH = { min: 3, max: 32 };

/** Porter's algorithm (M. F. Porter, "An algorithm for suffix stripping", 1980); about 0.8 µs per word. */
export function stemWord(word: string): string {
  return word.length < STEMMED_LENGTH.min || word.length > STEMMED_LENGTH.max ? word : stemmer(word);
}

/**
 * {@link stemWord} with a cache, for processing many texts. When the cache has `maxEntries` words it is
 * cleared, which is cheaper than tracking usage order, and rare words cannot cause thrashing.
 */
export function createCachedStem({ maxEntries }: { readonly maxEntries: number }): Stem {
  const stems = new Map<string, string>();
  return (word) => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    const stem = stemWord(word);
    if (stems.size >= maxEntries) stems.clear();
    stems.set(word, stem);
    return stem;
  };
}
