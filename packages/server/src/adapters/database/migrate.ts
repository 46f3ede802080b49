import { type Kysely, type RawBuilder, sql } from "kysely";
import { migrations } from "./migrations/index.ts";
import type { ColumnTypes } from "./migrations/migration.ts";
import type { Database } from "./schema.ts";
import { DatabaseStartError } from "./start-error.ts";

export type DatabaseKind = "sqlite" | "postgres";

interface MigrationSchema {
  readonly schema_migrations: { readonly number: number; readonly name: string; readonly applied_at: number };
}

const columnTypes: Readonly<Record<DatabaseKind, ColumnTypes>> = {
  sqlite: {
    text: sql`text`,
    integer: sql`integer`,
    bytes: sql`blob`,
    end: sql`strict`,
  },
  // Byte order is faster to compare than a locale's, and the same on every server.
  postgres: {
    text: sql`text collate "C"`,
    integer: sql`bigint`,
    bytes: sql`bytea`,
    end: sql``,
  },
};

/**
 * Brings the schema up to this version of the service. Runs inside a transaction of the caller, who
 * holds off other migrations (`lockMigrations` on PostgreSQL, the write transaction on SQLite).
 *
 * @throws DatabaseStartError when the database was written by a newer version of the service.
 */
export async function migrate(db: Database, options: { kind: DatabaseKind; now: number }): Promise<void> {
  const types = columnTypes[options.kind];
  const migrationDb = db as unknown as Kysely<MigrationSchema>; // The same connection, seen with the table that only this file knows.
  const applied = await migrationDb.selectFrom("schema_migrations").select("number").execute();
  const newest = applied.reduce((max, row) => Math.max(max, row.number), 0);
  const known = migrations.length;
  if (newest > known) {
    throw new DatabaseStartError(
      `The database has schema version ${newest}, but this version of the service knows only ${known}. ` +
        "Start the newer version of the service, or restore a backup made before it ran.",
    );
  }
  for (const migration of migrations.slice(newest)) {
    for (const statement of migration.statements(types)) await statement.execute(db);
    await migrationDb
      .insertInto("schema_migrations")
      .values({ number: migration.number, name: migration.name, applied_at: options.now })
      .execute();
  }
}

/** The statement that makes the migrations' own table; harmless when it is there. */
export function createMigrationTable(kind: DatabaseKind): RawBuilder<unknown> {
  const { text, integer, end } = columnTypes[kind];
  return sql`create table if not exists schema_migrations (
    number ${integer} not null primary key, name ${text} not null, applied_at ${integer} not null) ${end}`;
}

/** Makes a second process that starts at the same time wait; PostgreSQL only. */
export function lockMigrations(): RawBuilder<unknown> {
  return sql`lock table schema_migrations in exclusive mode`;
}
