/** Numbers of tokens: what providers report of them is checked, and estimated where it is missing or implausible. */

/** More than any real call uses. Prevents an overflow of the meter by a wrong number. */
const MAX_TOKENS = 1_000_000_000;
/** For an estimate of tokens when a provider does not report them. */
const CHARACTERS_PER_TOKEN = 4;

/** Every number of tokens from a provider passes through this. null for a value that is not a plausible one. */
export function tokenCountOf(reported: unknown): number | null {
  if (typeof reported !== "number" || !Number.isInteger(reported)) return null;
  return reported >= 0 && reported <= MAX_TOKENS ? reported : null;
}

export function estimateTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.ceil(text.length / CHARACTERS_PER_TOKEN), 0);
}
