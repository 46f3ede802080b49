/** Splits long lists of rows and parameters over several statements. */
import type { Insertable } from "kysely";
import type { Database, Schema } from "../schema.ts";

/** Rows in one insert. Few sizes make few statements, which stay prepared on SQLite. */
const insertSizes = [64, 16, 4, 1] as const;
/** Maximum bytes of one insert, for rows with large texts. */
const maxInsertBytes = 4 << 20;

/** Inserts many rows per statement, within the parameter limits of both databases. */
export async function insertRows<Table extends keyof Schema>(
  db: Database,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  let start = 0;
  while (start < rows.length) {
    const fitting = countFitting(rows, start);
    const size = insertSizes.find((candidate) => candidate <= fitting) ?? 1;
    await db
      .insertInto(table)
      .values(rows.slice(start, start + size))
      .execute();
    start += size;
  }
}

/** The number of rows from `start` on that stay within the byte limit; at least one. */
function countFitting(rows: readonly object[], start: number): number {
  let bytes = 0;
  let end = start;
  while (end < rows.length && end - start < insertSizes[0]) {
    bytes += rowBytes(rows[end] ?? {});
    if (bytes > maxInsertBytes && end > start) break;
    end += 1;
  }
  return end - start;
}

function rowBytes(row: object): number {
  let bytes = 0;
  for (const value of Object.values(row)) if (value instanceof Uint8Array) bytes += value.byteLength;
  return bytes;
}

/** Splits a list into parts of at most `size` elements, for statements with a parameter for each element. */
export function partsOf<T>(list: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < list.length; start += size) parts.push(list.slice(start, start + size));
  return parts;
}

/**
 * Pads the list to a power of two with its last element, which does not change the result of `in`. Few lengths make few
 * statements, which stay prepared on SQLite.
 */
export function padded<T>(list: readonly T[]): readonly T[] {
  const last = list.at(-1);
  if (last === undefined) return list;
  const size = 2 ** Math.ceil(Math.log2(list.length));
  return [...list, ...new Array<T>(size - list.length).fill(last)];
}
