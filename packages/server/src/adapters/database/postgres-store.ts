import { Kysely, PostgresDialect } from "kysely";
import { Pool, types } from "pg";
import { type Store, StoreUnavailableError } from "../../ports/store.ts";
import { createMigrationTable, lockMigrations, migrate } from "./migrate.ts";
import { type OperationName, operations } from "./operations/registry.ts";
import { isConflict, isRefusal, translatePostgresError } from "./postgres-errors.ts";
import type { Database, Schema } from "./schema.ts";
import { DatabaseStartError } from "./start-error.ts";
import { createStoreClient } from "./store-client.ts";

/** Tries of one write that loses against others. */
const maxTries = 3;
const connectTimeoutMs = 5_000;
/** A project with very many chunks takes this long to delete at worst. */
const statementTimeoutMs = 60_000;
const int8Oid = 20;
const byteaOid = 17;

export interface PostgresHandle {
  readonly store: Store;
  authDatabase(): Kysely<unknown>;
}

/**
 * Connects to a PostgreSQL server and brings the schema up to date; a second process that starts at the
 * same time waits for the first. No extension and no setting of the server is needed.
 *
 * @throws DatabaseStartError when the server does not answer, refuses the credentials, or has a newer schema.
 */
export async function openPostgres(
  databaseUrl: string,
  options: { readonly migrate: boolean; readonly maxConnections: number },
): Promise<PostgresHandle> {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: "knowledge-context-service",
    max: options.maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  });
  // An idle connection that breaks is replaced at the next use, which reports it if that fails too.
  pool.on("error", () => {});
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    if (options.migrate) await migratePostgres(db);
  } catch (error) {
    await db.destroy();
    throw toStartError(error);
  }
  const call = async (name: OperationName, input: unknown) => {
    try {
      return await runOperation(db, name, input);
    } catch (error) {
      throw translatePostgresError(error);
    }
  };
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= db.destroy();
    return closed;
  };
  // The same connections, seen with tables that better-auth makes for itself.
  return { store: createStoreClient(call, close), authDatabase: () => db as unknown as Kysely<unknown> };
}

async function runOperation(db: Database, name: OperationName, input: unknown): Promise<unknown> {
  const { mode, run } = operations[name];
  if (mode === "read") return run(db, input);
  if (mode === "snapshot") {
    const transaction = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
    return transaction.execute((scoped) => run(scoped, input));
  }
  for (let attempt = 1; ; attempt++) {
    try {
      const transaction = db.transaction().setIsolationLevel("read committed");
      return await transaction.execute((scoped) => run(scoped, input));
    } catch (error) {
      if (attempt >= maxTries || !isConflict(error)) throw error;
    }
  }
}

function toStartError(error: unknown): unknown {
  const translated = translatePostgresError(error);
  if (translated instanceof StoreUnavailableError) return new DatabaseStartError(translated.message, error);
  if (!(error instanceof Error && isRefusal(error))) return error;
  return new DatabaseStartError(
    `The PostgreSQL server refused the connection: ${error.message}. Check the user, password and database in the database URL.`,
    error,
  );
}

async function migratePostgres(db: Database): Promise<void> {
  await createMigrationTable("postgres")
    .execute(db)
    // Two processes that both see no table both make it; the loser finds that it is there.
    .catch(() => createMigrationTable("postgres").execute(db));
  await db.transaction().execute(async (scoped) => {
    await lockMigrations().execute(scoped);
    await migrate(scoped, { kind: "postgres", now: Date.now() });
  });
}

/** Counts and times come as numbers, not text, and bytes in a buffer of their own, which may move to another thread. */
function parserOf(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  if (format !== "binary") {
    if (oid === int8Oid) return parseInt8;
    if (oid === byteaOid) return parseBytes;
  }
  return types.getTypeParser(oid, format) as (value: string) => unknown; // The texts' parsers all take text.
}

function parseInt8(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`The database holds ${value}, which is too large.`);
  return number;
}

function parseBytes(value: string): Uint8Array {
  if (!value.startsWith("\\x"))
    throw new Error("Set the PostgreSQL server's bytea_output to its default, hex.");
  return Uint8Array.fromHex(value.slice(2));
}
