/** A bound on what a JSON text becomes in memory, seen before it is parsed. */
import { errors } from "../domain/errors.ts";

/** Fourteen times what a batch with all its metadata has. */
const MAX_SEPARATORS = 1_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SEPARATORS: ReadonlySet<number> = new Set(Array.from(",:[{", (sign) => sign.charCodeAt(0)));

/**
 * Throws a ServiceError where more than a million commas, colons and opening brackets stand outside of strings. 64 MiB
 * of `{},` are 2.5 GB once parsed, and a thread's heap limit does not help: it does not interrupt `JSON.parse`, which then
 * sweeps a full heap for minutes. 64 MiB are read in about 0.1 s.
 */
export function requireFewValues(bytes: Uint8Array): void {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (SEPARATORS.has(byte) && ++count > MAX_SEPARATORS) {
      throw errors.invalidInput(`body: has too many values, expected at most ${MAX_SEPARATORS}`);
    }
  }
}
