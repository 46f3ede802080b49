/** Everything that is stored, from one snapshot, as the lines of a file. */
import { readSchema } from "../migrate.ts";
import type { Database } from "../schema.ts";
import { createOutsideRows, type OutsideRows, type ReadOutside } from "./outside-rows.ts";
import { createTally, encodeRow } from "./row-codec.ts";
import { listTables, type Table } from "./table-shapes.ts";
import type { TransferDatabase } from "./transfer-database.ts";
import { writeHeader, writeTally } from "./transfer-file.ts";

export interface Moved {
  readonly tables: number;
  readonly rows: number;
  /** Segments without their bytes, which the service builds again. */
  readonly lost: number;
}

/**
 * `write` takes a piece of the file and resolves when the next one may come. `read`: from the segment store; null where there is none.
 * @throws TransferError when segments are in a store and `read` is null
 */
export function exportDatabase(
  source: TransferDatabase,
  write: (lines: string) => Promise<void>,
  read: ReadOutside | null = null,
): Promise<Moved> {
  return source.within(async (db) => {
    const tables = await listTables(db, source.kind);
    const outside = createOutsideRows(source, { read, tables });
    await write(`${writeHeader({ migration: (await readSchema(db)).newest, tables })}\n`);
    let rows = 0;
    for (const table of tables) rows += await exportTable(outside, { db, table, write });
    return { tables: tables.length, rows, lost: outside.lost };
  });
}

async function exportTable(
  outside: OutsideRows,
  input: { readonly db: Database; readonly table: Table; readonly write: (lines: string) => Promise<void> },
): Promise<number> {
  const { db, table, write } = input;
  const tally = createTally();
  for await (const row of outside.rows(db, table)) {
    const line = encodeRow(table, row);
    tally.add(line);
    await write(`${line}\n`);
  }
  await write(`${writeTally(table.name, tally.read())}\n`);
  return tally.read().rows;
}
