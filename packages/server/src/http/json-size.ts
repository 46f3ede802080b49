/** Bounds what a JSON body costs once parsed, in time, memory and depth, without parsing it. */
import { errors } from "../domain/errors.ts";
import { countJsonValues, MAX_JSON_DEPTH } from "../domain/json-size.ts";

/**
 * How many values a text may have where it is parsed. The main thread parses and checks 10,000 in 10 ms; the largest valid query
 * has 4,400. The body thread's limit is 14 times the values of the largest valid batch with full metadata. 64 MiB of `{},` take
 * 2.5 GB once parsed, and a heap limit of the thread does not help, because it does not interrupt `JSON.parse`: the garbage
 * collector then runs on a full heap for minutes.
 */
export const MAX_VALUES = { mainThread: 10_000, bodyThread: 1_000_000 } as const;

/**
 * Refuses a text with more than `maxValues` commas, colons and opening brackets outside of strings, or with brackets in more
 * than 64 levels. Takes 0.1 s for 64 MiB.
 * @throws ServiceError `invalid_input`
 */
export function requireBoundedJson(bytes: Uint8Array, maxValues: number): void {
  if (countValues(bytes, maxValues) > maxValues) {
    throw errors.invalidInput(`body: has too many values, expected at most ${maxValues}`);
  }
}

/** Stops above `limit`. @throws ServiceError for too many levels */
export function countValues(bytes: Uint8Array, limit: number): number {
  const count = countJsonValues(bytes, limit);
  if (count === null) {
    throw errors.invalidInput(`body: is nested too deeply, expected at most ${MAX_JSON_DEPTH} levels`);
  }
  return count;
}
