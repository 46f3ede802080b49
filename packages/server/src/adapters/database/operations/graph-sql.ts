/**
 * Statements over many keys. Each list is one flat fragment: for hundreds of rows, putting fragments together takes longer than
 * the statement. Lists have few lengths, so that their statements stay prepared on SQLite. The casts tell PostgreSQL the types.
 */
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../schema.ts";
import { padded, partsOf } from "./bulk.ts";

export type ColumnType = "bigint" | "text";
export type Row = readonly (string | number | null)[];

/** Columns by name. */
export type Columns = Readonly<Record<string, ColumnType>>;

/** Rows in one statement, the fitting size each time. */
const insertSizes = [256, 64, 16, 4, 1] as const;
const maxListed = 512;

/** `(1, 'a'), (2, 'b')` */
export function valuesOf(columns: Columns, rows: readonly Row[]): RawBuilder<unknown> {
  const types = Object.values(columns);
  const between = types.map((type, at) =>
    at + 1 < types.length ? ` as ${type}), cast(` : ` as ${type})), (cast(`,
  );
  const fragments = ["(cast("];
  for (let row = 0; row < rows.length; row++) fragments.push(...between);
  fragments[fragments.length - 1] = ` as ${types.at(-1) ?? "text"}))`;
  return sql(fragments as unknown as TemplateStringsArray, ...rows.flat()); // The tag reads it as an array of texts.
}

/** Inserts the rows; what to do with those that are there, and what to return, stands behind. */
export async function insertAll<Returned>(
  db: Database,
  input: { table: string; columns: Columns; rows: readonly Row[]; end?: RawBuilder<unknown> },
): Promise<readonly Returned[]> {
  const { table, columns, rows, end = sql`` } = input;
  const names = sql.raw(Object.keys(columns).join(", ")); // Written in this folder, like the table's.
  const returned: Returned[] = [];
  for (let start = 0; start < rows.length; ) {
    const size = insertSizes.find((candidate) => candidate <= rows.length - start) ?? 1;
    const values = valuesOf(columns, rows.slice(start, start + size));
    const result =
      await sql<Returned>`insert into ${sql.raw(table)} (${names}) values ${values} ${end}`.execute(db);
    returned.push(...result.rows);
    start += size;
  }
  return returned;
}

/** Deletes the rows with these keys, in all the columns named. */
export async function deleteAll(
  db: Database,
  input: { table: string; columns: Columns; rows: readonly Row[] },
): Promise<void> {
  const names = sql.raw(Object.keys(input.columns).join(", "));
  for (const part of partsOf(input.rows, maxListed)) {
    await sql`delete from ${sql.raw(input.table)}
      where (${names}) in (values ${valuesOf(input.columns, padded(part))})`.execute(db);
  }
}

/** What the query, over `keys` of these columns, gives for all of the rows. Lists are filled up with keys of null, which equal nothing. */
export async function selectFor<Found>(
  db: Database,
  input: { columns: Columns; rows: readonly Row[]; query: RawBuilder<unknown> },
): Promise<readonly Found[]> {
  const found: Found[] = [];
  const names = sql.raw(Object.keys(input.columns).join(", "));
  for (const part of partsOf(input.rows, maxListed)) {
    const filled = padded(part).map((row, at) => (at < part.length ? row : row.map(() => null)));
    const result = await sql<Found>`
      with keys (${names}) as (values ${valuesOf(input.columns, filled)}) ${input.query}`.execute(db);
    found.push(...result.rows);
  }
  return found;
}

/** Like `select ... where column in (...)`, for any number of nodes. */
export async function selectIn<Found>(
  db: Database,
  nodes: Iterable<number>,
  query: (list: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const part of partsOf([...new Set(nodes)], maxListed)) {
    const result = await sql<Found>`${query(sql.join(padded(part)))}`.execute(db);
    found.push(...result.rows);
  }
  return found;
}

/** A condition that leads to no index: SQLite would take one for it and read the whole project. */
export function isOf(projectId: string): RawBuilder<boolean> {
  return sql<boolean>`project_id || '' = ${projectId}`;
}
