/** The tables to move, as the database itself lists them, so that a new migration needs no change here. */
import { sql } from "kysely";
import type { DatabaseKind } from "../migrate.ts";
import type { Database } from "../schema.ts";

/** How a value is written in the file: text, number, base64 of bytes, ISO text of a time. */
export type ValueType = "text" | "integer" | "bytes" | "time";

export interface ColumnShape {
  readonly name: string;
  readonly type: ValueType;
}

export interface TableShape {
  readonly name: string;
  readonly columns: readonly ColumnShape[];
}

/** A table of the database at hand. */
export interface Table extends TableShape {
  /** Names of its columns that the database has as true and false. */
  readonly booleans: ReadonlySet<string>;
  /** The column that the database numbers; null when there is none. */
  readonly numbered: string | null;
}

/**
 * Which migrations were applied is said once for the whole file; processes are those of the database that they run on; the objects of a
 * segment store are not in the file, but the bytes of its segments are.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(["schema_migrations", "processes", "segment_objects"]);

const VALUE_TYPES: Readonly<Record<string, ValueType>> = {
  text: "text",
  varchar: "text",
  integer: "integer",
  bigint: "integer",
  int4: "integer",
  int8: "integer",
  bool: "integer",
  blob: "bytes",
  bytea: "bytes",
  date: "time",
  timestamptz: "time",
};

/** By name, but those that others refer to first. @throws Error for a column of a type that has no form in the file */
export async function listTables(db: Database, kind: DatabaseKind): Promise<readonly Table[]> {
  const schema = kind === "sqlite" ? undefined : await currentSchema(db);
  const listed = await db.introspection.getTables();
  const tables = listed
    .filter((table) => !table.isView && table.schema === schema && !LEFT_OUT.has(table.name))
    .map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => ({ name: column.name, type: typeOf(name, column) })),
      booleans: new Set(columns.filter(({ dataType }) => dataType === "bool").map((column) => column.name)),
      numbered: columns.find((column) => column.isAutoIncrementing)?.name ?? null,
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return parentsFirst(tables, await listReferences(db, kind));
}

interface Reference {
  readonly child: string;
  readonly parent: string;
}

/** Only tables of the accounts library have foreign keys. */
async function listReferences(db: Database, kind: DatabaseKind): Promise<readonly Reference[]> {
  const list =
    kind === "sqlite"
      ? sql<Reference>`
        select m.name as child, f."table" as parent
        from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`
      : sql<Reference>`
        select child.relname as child, parent.relname as parent
        from pg_constraint
        join pg_class child on child.oid = conrelid
        join pg_class parent on parent.oid = confrelid
        where contype = 'f' and child.relnamespace = current_schema()::regnamespace`;
  return (await list.execute(db)).rows;
}

function parentsFirst(tables: readonly Table[], references: readonly Reference[]): readonly Table[] {
  const sorted: Table[] = [];
  let left = tables;
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const waits = ({ name }: Table) =>
      references.some(({ child, parent }) => child === name && parent !== name && names.has(parent));
    const free = left.filter((table) => !waits(table));
    if (free.length === 0) throw new Error(`The tables ${[...names].join(", ")} refer to each other.`);
    sorted.push(...free);
    left = left.filter(waits);
  }
  return sorted;
}

async function currentSchema(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select current_schema()::text as name`.execute(db);
  return rows[0]?.name;
}

function typeOf(table: string, column: { readonly name: string; readonly dataType: string }): ValueType {
  const type = VALUE_TYPES[column.dataType.toLowerCase()];
  if (type === undefined)
    throw new Error(
      `The column ${table}.${column.name} has the type ${column.dataType}, which an export cannot hold.`,
    );
  return type;
}
