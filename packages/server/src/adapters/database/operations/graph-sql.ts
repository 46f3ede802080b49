/**
 * Statements over many keys. Each list is one flat fragment: for hundreds of rows, combining fragments takes
 * longer than running the statement. Lists have only a few lengths, so that their statements stay prepared on
 * SQLite. PostgreSQL infers the types from the casts.
 */
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../schema.ts";
import { padded, partsOf } from "./bulk.ts";

export type ColumnType = "bigint" | "text";
export type Row = readonly (string | number | null)[];

/** Columns by name. */
export type Columns = Readonly<Record<string, ColumnType>>;

/** Numbers of rows per statement; the largest that fits is used. */
const insertSizes = [256, 64, 16, 4, 1] as const;
const maxListed = 512;
/** Rows of one deletion: what its other conditions find is compared with each of them. */
const maxDeleted = 128;

/** `(1, 'a'), (2, 'b')` */
export function valuesOf(columns: Columns, rows: readonly Row[]): RawBuilder<unknown> {
  const types = Object.values(columns);
  const separators = types.map((type, at) =>
    at + 1 < types.length ? ` as ${type}), cast(` : ` as ${type})), (cast(`,
  );
  const fragments = ["(cast("];
  for (let row = 0; row < rows.length; row++) fragments.push(...separators);
  fragments[fragments.length - 1] = ` as ${types.at(-1) ?? "text"}))`;
  // `sql` reads it only as an array of strings.
  return sql(fragments as unknown as TemplateStringsArray, ...rows.flat());
}

/** Inserts the rows. `end` is appended to the statement: the conflict and returning clauses. */
export async function insertAll<Returned>(
  db: Database,
  input: { table: string; columns: Columns; rows: readonly Row[]; end?: RawBuilder<unknown> },
): Promise<readonly Returned[]> {
  const { table, columns, rows, end = sql`` } = input;
  const names = sql.raw(Object.keys(columns).join(", ")); // A constant of this folder, like the table's name.
  const returned: Returned[] = [];
  for (let start = 0; start < rows.length; ) {
    const size = insertSizes.find((candidate) => candidate <= rows.length - start) ?? 1;
    const values = valuesOf(columns, rows.slice(start, start + size));
    const result =
      await sql<Returned>`insert into ${sql.raw(table)} (${names}) values ${values} ${end}`.execute(db);
    for (const row of result.rows) returned.push(row);
    start += size;
  }
  return returned;
}

/** As `insertAll`, of rows of a project. */
export function insertInto<Returned>(
  db: Database,
  projectId: string,
  { columns, rows, ...input }: Parameters<typeof insertAll>[1],
): Promise<readonly Returned[]> {
  const owned = rows.map((row): Row => [projectId, ...row]);
  return insertAll(db, { ...input, columns: { project_id: "text", ...columns }, rows: owned });
}

/**
 * Deletes the rows of the project that match these keys in all the given columns. PostgreSQL takes a project that it has no statistics of for one
 * row and compares each row of it with each key: the conditions on the first column, a node, and on the places of chunks leave few.
 */
export async function deleteFrom(
  db: Database,
  projectId: string,
  input: { table: string; columns: Columns; rows: readonly Row[] },
): Promise<void> {
  const columns = Object.keys(input.columns);
  const names = sql.raw(columns.join(", "));
  const [version, position] = [columns.indexOf("version_id"), columns.indexOf("position")];
  const isOfChunks = version >= 0 && position >= 0;
  const placeOf = (row: Row) => [Number(row[version]), Number(row[position])] as const;
  const rows = isOfChunks
    ? input.rows.toSorted((a, b) => placeOf(a)[0] - placeOf(b)[0] || placeOf(a)[1] - placeOf(b)[1])
    : input.rows;
  for (const part of partsOf(rows, maxDeleted)) {
    const list = padded(part);
    const places = part.map(placeOf);
    const near = isOfChunks
      ? sql`and version_id in (${sql.join(padded([...new Set(places.map(([at]) => at))]))})
        and position between ${Math.min(...places.map(([, at]) => at))} and ${Math.max(...places.map(([, at]) => at))}`
      : sql``;
    await sql`delete from ${sql.raw(input.table)}
      where project_id = ${projectId} and ${sql.ref(columns[0] ?? "")} in (${sql.join(list.map(([node]) => node))}) ${near}
        and (${names}) in (values ${valuesOf(input.columns, list)})`.execute(db);
  }
}

/**
 * Runs the query over a table `keys` of these rows, in several statements if needed. Lists are padded with
 * null, which equals no value.
 */
export async function selectFor<Selected>(
  db: Database,
  input: { columns: Columns; rows: readonly Row[]; query: RawBuilder<unknown> },
): Promise<readonly Selected[]> {
  const selected: Selected[] = [];
  const names = sql.raw(Object.keys(input.columns).join(", "));
  for (const part of partsOf(input.rows, maxListed)) {
    const filled = padded(part).map((row, at) => (at < part.length ? row : row.map(() => null)));
    const result = await sql<Selected>`
      with keys (${names}) as (values ${valuesOf(input.columns, filled)}) ${input.query}`.execute(db);
    // As arguments, a hundred thousand rows would overflow the stack.
    for (const row of result.rows) selected.push(row);
  }
  return selected;
}

/** Runs a statement with `in (list)` for any number of nodes, in several statements if needed. */
export async function selectIn<Selected>(
  db: Database,
  nodes: Iterable<number>,
  query: (list: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<readonly Selected[]> {
  const selected: Selected[] = [];
  for (const part of partsOf([...new Set(nodes)], maxListed)) {
    const result = await sql<Selected>`${query(sql.join(padded(part)))}`.execute(db);
    // As arguments, a hundred thousand rows would overflow the stack.
    for (const row of result.rows) selected.push(row);
  }
  return selected;
}

/** False for rows of a removed version that are still to be removed. */
export function isPresent(projectId: string, versionId: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(versionId)} not in (
    select c.version_id from version_changes as c where c.project_id = ${projectId} and c.kind = 'remove')`;
}

/**
 * Whether a text has a part that is not empty, by plain comparison on both databases. `like` compares the rest of the pattern anew at each place: a
 * part that nearly repeats itself, as in a name of many equal letters, takes SQLite 20 times as long.
 */
export function contains(text: RawBuilder<unknown>, part: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`replace(${text}, ${part}, '') <> ${text}`;
}
