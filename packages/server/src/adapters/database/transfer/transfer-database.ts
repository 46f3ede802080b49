/** One connection of its own to either database, for an export or an import: a transaction, and the rows of a table as they come. */
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { databaseFile } from "../data-directory.ts";
import { createPrivateFile, lockDataDirectory } from "../lock.ts";
import type { DatabaseKind } from "../migrate.ts";
import { createPool, databaseOver, timeLimits } from "../postgres-pool.ts";
import type { Database, Schema } from "../schema.ts";
import { openReaderConnection, openWriterConnection } from "../sqlite-connection.ts";
import { createSqliteDialect, createStatementRunner } from "../sqlite-dialect.ts";
import type { Row } from "./row-codec.ts";
import type { TableShape } from "./table-shapes.ts";
import { TransferError } from "./transfer-error.ts";

export interface TransferDatabase {
  readonly kind: DatabaseKind;
  /** Outside of a transaction. */
  readonly db: Database;
  /** The same, typed for the tables that better-auth creates. */
  authDatabase(): Kysely<unknown>;
  /** Runs in one transaction: a snapshot to read, or one that writes. */
  within<T>(run: (db: Database) => Promise<T>): Promise<T>;
  rows(db: Database, table: TableShape): AsyncIterable<Row>;
  close(): Promise<void>;
}

export interface Place {
  /** null = the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

/** A service may use the database meanwhile. @throws TransferError when there is none */
export function openSource({ databaseUrl, dataDir }: Place): TransferDatabase {
  if (databaseUrl !== null) return overPostgres(databaseUrl, "read");
  const path = databaseFile(dataDir);
  if (!existsSync(path)) throw new TransferError(`There is no database in ${dataDir}.`);
  return overSqlite(openReaderConnection(path), { begin: "begin", release: () => undefined });
}

/** @throws DatabaseStartError when a service uses the data directory */
export function openTarget({ databaseUrl, dataDir }: Place): TransferDatabase {
  if (databaseUrl !== null) return overPostgres(databaseUrl, "write");
  const { release } = lockDataDirectory(dataDir);
  try {
    const path = databaseFile(dataDir);
    createPrivateFile(path);
    return overSqlite(openWriterConnection(path), { begin: "begin immediate", release });
  } catch (error) {
    release();
    throw error;
  }
}

function overSqlite(
  connection: DatabaseSync,
  { begin, release }: { readonly begin: string; readonly release: () => void },
): TransferDatabase {
  const run = createStatementRunner(connection);
  const db = new Kysely<Schema>({
    dialect: createSqliteDialect(async ({ sql: text, parameters }) => run(text, parameters)),
  });
  return {
    kind: "sqlite",
    db,
    authDatabase: () => db as unknown as Kysely<unknown>,
    async within(work) {
      connection.exec(begin);
      try {
        const result = await work(db);
        connection.exec("commit");
        return result;
      } catch (error) {
        if (connection.isTransaction) connection.exec("rollback");
        throw error;
      }
    },
    async *rows(_db, table) {
      for (const row of connection.prepare(selectAll(table)).iterate()) yield Object.values(row);
    },
    async close() {
      connection.close();
      release();
    },
  };
}

function overPostgres(databaseUrl: string, mode: "read" | "write"): TransferDatabase {
  const pool = createPool(databaseUrl, 1);
  const db = databaseOver(pool, timeLimits.slow);
  return {
    kind: "postgres",
    db,
    authDatabase: () => db as unknown as Kysely<unknown>,
    within(work) {
      const transaction =
        mode === "read"
          ? db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only")
          : db.transaction().setIsolationLevel("read committed");
      return transaction.execute(async (scoped) => {
        // Whoever is at the other end of the pipe may be slow.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(scoped);
        return work(scoped);
      });
    },
    rows: fetchRows,
    close: () => pool.end(),
  };
}

const LARGE_BYTES = 4 * 1024 * 1024;
const SMALL_BYTES = 1024 * 1024;
const MOST_ROWS = 500;

/** In fetches of about a megabyte, as far as the one before tells: the rows of some tables have 30 bytes, those of others 30 million. */
async function* fetchRows(db: Database, table: TableShape): AsyncGenerator<Row> {
  await sql.raw(`declare exported no scroll cursor for ${selectAll(table)}`).execute(db);
  for (let count = 1; ; ) {
    const { rows } = await sql.raw<Record<string, unknown>>(`fetch ${count} from exported`).execute(db);
    let bytes = 0;
    for (const row of rows) {
      const values = Object.values(row);
      for (const value of values)
        bytes += value instanceof Uint8Array ? value.byteLength : String(value).length;
      yield values;
    }
    if (rows.length < count) break;
    if (bytes < SMALL_BYTES) count = Math.min(MOST_ROWS, count * 2);
    else if (bytes > LARGE_BYTES) count = Math.max(1, count >> 2);
  }
  await sql.raw("close exported").execute(db);
}

/** The names are those that the database lists. */
function selectAll({ name, columns }: TableShape): string {
  return `select ${columns.map((column) => quote(column.name)).join(", ")} from ${quote(name)}`;
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
