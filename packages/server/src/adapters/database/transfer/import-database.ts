/** Fills an empty database from the lines of a file: all of it in one transaction, which is not committed before it has been read again. */
import { sql } from "kysely";
import { createMigrationTable, lockMigrations, migrate, readSchema } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import type { Database } from "../schema.ts";
import type { Moved } from "./export-database.ts";
import { createTally, decodeRow, encodeRow, type Row, type Tally } from "./row-codec.ts";
import { listTables, type Table, type TableShape } from "./table-shapes.ts";
import type { TransferDatabase } from "./transfer-database.ts";
import { TransferError } from "./transfer-error.ts";
import { type Header, readHeader, readTally } from "./transfer-file.ts";

const MOST_PARAMETERS = 2_000;
const BATCH_BYTES = 1024 * 1024;

/** A table of the file beside that of the database. */
interface Pair {
  readonly from: TableShape;
  readonly to: Table;
}

/**
 * The tables of the accounts must be there. A file of an earlier release is brought up to date in the same transaction.
 *
 * @throws TransferError when the file is damaged or of a later release, or the database is not empty; then it is as before
 */
export async function importDatabase(
  target: TransferDatabase,
  lines: AsyncIterator<string>,
  now: number,
): Promise<Moved> {
  const header = readHeader((await lines.next()).value);
  if (header.migration > migrations.length) {
    throw new TransferError(
      `The file has schema version ${header.migration}, but this version of the service knows only ${migrations.length}. Import it with a newer version.`,
    );
  }
  await createMigrationTable(target.kind).execute(target.db);
  return target.within(async (db) => {
    if (target.kind === "postgres") await lockMigrations().execute(db);
    await migrateTo(db, { kind: target.kind, number: header.migration, now });
    const pairs = pairTables(header, await listTables(db, target.kind));
    await requireEmpty(db, target, pairs);
    let rows = 0;
    for (const pair of pairs) rows += await importTable(db, { target, pair, lines });
    if ((await lines.next()).done !== true) throw new TransferError("The file is longer than an export.");
    await migrate(db, { kind: target.kind, now });
    return { tables: pairs.length, rows, lost: 0 };
  });
}

async function migrateTo(
  db: Database,
  { kind, number, now }: { kind: TransferDatabase["kind"]; number: number; now: number },
): Promise<void> {
  const { newest } = await readSchema(db);
  if (newest > number) {
    throw new TransferError(
      `The database has schema version ${newest} and the file ${number}. Import it into a database without tables.`,
    );
  }
  await migrate(db, { kind, now, upTo: number });
}

/** @throws TransferError when the database lacks a table or a column of the file */
function pairTables({ tables }: Header, known: readonly Table[]): readonly Pair[] {
  return tables.map((from) => {
    const to = known.find(({ name }) => name === from.name);
    const isKnown = (column: TableShape["columns"][number]) =>
      to?.columns.some(({ name, type }) => name === column.name && type === column.type);
    const missing = from.columns.find((column) => !isKnown(column));
    if (to === undefined || missing !== undefined) {
      const what = missing === undefined ? from.name : `${from.name}.${missing.name}`;
      throw new TransferError(
        `This version of the service has no ${what}, which the file has. Nothing was imported.`,
      );
    }
    return { from, to };
  });
}

/** On PostgreSQL it also keeps others from writing until the import ends. */
async function requireEmpty(db: Database, { kind }: TransferDatabase, pairs: readonly Pair[]): Promise<void> {
  for (const { to } of pairs) {
    const table = sql.table(to.name);
    if (kind === "postgres") await sql`lock table ${table} in exclusive mode`.execute(db);
    const { rows } = await sql`select 1 from ${table} limit 1`.execute(db);
    if (rows.length > 0) {
      throw new TransferError(
        `The database is not empty: ${to.name} has rows. Import into a new database, before a service has used it.`,
      );
    }
  }
}

async function importTable(
  db: Database,
  input: { readonly target: TransferDatabase; readonly pair: Pair; readonly lines: AsyncIterator<string> },
): Promise<number> {
  const { target, pair, lines } = input;
  const { from, to } = pair;
  const perBatch = Math.max(1, Math.floor(MOST_PARAMETERS / from.columns.length));
  let batch: Row[] = [];
  let bytes = 0;
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done === true) throw new TransferError("The file ends before its last table. Nothing was imported.");
    const told = readTally(line);
    if (told === null) {
      batch.push(decodeRow(line, from, to));
      bytes += line.length;
    }
    if (told !== null || batch.length === perBatch || bytes > BATCH_BYTES) {
      await insertRows(db, from, batch);
      batch = [];
      bytes = 0;
    }
    if (told === null) continue;
    await continueNumbers(db, target, to);
    await verify(db, { target, from, told });
    return told.rows;
  }
}

async function insertRows(db: Database, { name, columns }: TableShape, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const names = sql.join(columns.map((column) => sql.id(column.name)));
  const values = sql.join(rows.map((row) => sql`(${sql.join([...row])})`));
  await sql`insert into ${sql.table(name)} (${names}) values ${values}`.execute(db);
}

/** SQLite continues after the largest number by itself. */
async function continueNumbers(db: Database, { kind }: TransferDatabase, table: Table): Promise<void> {
  if (kind === "sqlite" || table.numbered === null) return;
  const column = sql.id(table.numbered);
  await sql`
    select setval(pg_get_serial_sequence(quote_ident(${table.name}), ${table.numbered}), max(${column}))
    from ${sql.table(table.name)} having max(${column}) is not null`.execute(db);
}

/** @throws TransferError unless the database now has what the file says */
async function verify(
  db: Database,
  input: {
    readonly target: TransferDatabase;
    readonly from: TableShape;
    readonly told: Tally & { readonly table: string };
  },
): Promise<void> {
  const { target, from, told } = input;
  const tally = createTally();
  for await (const row of target.rows(db, from)) tally.add(encodeRow(from, row));
  const { rows, checksum } = tally.read();
  if (told.table === from.name && told.rows === rows && told.checksum === checksum) return;
  throw new TransferError(
    `The table ${from.name} has ${rows} rows with the checksum ${checksum}, but the file says ${told.rows} with ${told.checksum}. Nothing was imported.`,
  );
}
