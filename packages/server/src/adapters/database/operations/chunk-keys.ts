/** SQL conditions on the keys of chunks. */
import { sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";

/**
 * Compares row values with the primary key; both databases look them up one by one. The casts tell PostgreSQL the types. The
 * keys are one flat SQL fragment: with a fragment for each of 40 keys, building the statement took as long as running it.
 */
export function matchesKey(table: string, keys: readonly ChunkKey[]) {
  const columns = sql.ref(`${table}.version_id`);
  return sql<boolean>`(${columns}, ${sql.ref(`${table}.position`)}) in (values ${keyValues(keys)})`;
}

function keyValues(keys: readonly ChunkKey[]) {
  const fragments = keys.flatMap((_, at) => [
    at === 0 ? "(cast(" : " as bigint)), (cast(",
    " as bigint), cast(",
  ]);
  fragments.push(" as bigint))");
  const raw = fragments as unknown as TemplateStringsArray; // The tag reads only the array of strings.
  return sql(raw, ...keys.flatMap(({ versionId, position }) => [versionId, position]));
}
