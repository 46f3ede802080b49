/** Checks that an answer has what its reader goes through, so that another one is told as such. */
import { KcsError } from "./errors.ts";
import type { QueryResult } from "./wire.ts";

/** @throws KcsError for an answer that has no list there */
export function requireList<Item>(list: readonly Item[] | undefined, what: string): readonly Item[] {
  if (Array.isArray(list)) return list;
  throw new KcsError(
    `The answer has no list of ${what}: it is not what the service answers, or of another version of it.`,
  );
}

/** @throws KcsError for an answer without passages or relationships */
export function resultsOf({ results }: QueryResult): QueryResult["results"] {
  // An answer of something else may have anything.
  requireList(results?.chunks, "passages");
  requireList(results?.relationships, "relationships");
  return results;
}
