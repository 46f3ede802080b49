/** Bounds the memory that a JSON text takes once parsed, without parsing it. */
import { errors } from "../domain/errors.ts";

/** 14 times the number of separators in the largest valid batch with full metadata. */
const MAX_SEPARATORS = 1_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SEPARATORS: ReadonlySet<number> = new Set(Array.from(",:[{", (character) => character.charCodeAt(0)));

/**
 * Refuses a text with more than a million commas, colons and opening brackets outside of strings. 64 MiB of
 * `{},` take 2.5 GB once parsed. A heap limit of the thread does not help, because it does not interrupt
 * `JSON.parse`: the garbage collector then runs on a full heap for minutes. This check takes 0.1 s for 64
 * MiB.
 * @throws ServiceError `invalid_input`
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
