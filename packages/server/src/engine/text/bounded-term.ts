/** The longest term in UTF-16 code units; a longer one keeps its beginning and a hash of the whole. */
export const MAX_TERM_LENGTH = 64;

const HASH_LENGTH = 16;

/** The term itself, or the beginning of an overlong one and a hash that keeps it apart from its like. */
export function boundedTerm(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  const prefix = term.slice(0, MAX_TERM_LENGTH - HASH_LENGTH - 1).toWellFormed();
  return `${prefix}~${fingerprint(term)}`;
}

/** 64 bits as hexadecimal digits: two 32-bit FNV-1a hashes from different bases, the second over rotated state. */
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
