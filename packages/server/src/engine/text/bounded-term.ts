/**
 * The maximum length of a term in UTF-16 code units; a longer one is replaced by its beginning and a hash of
 * all of it.
 */
export const MAX_TERM_LENGTH = 64;

const HASH_LENGTH = 16;

/**
 * Returns the term, or for an overlong one its beginning and a hash that distinguishes it from others with
 * the same beginning.
 */
export function boundedTerm(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  const prefix = term.slice(0, MAX_TERM_LENGTH - HASH_LENGTH - 1).toWellFormed();
  return `${prefix}~${fingerprint(term)}`;
}

/**
 * A 64-bit hash in hexadecimal: two 32-bit FNV-1a hashes with different bases, the second over rotated state.
 */
function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(((high << 13) | (high >>> 19)) ^ unit, 0x01000193);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
