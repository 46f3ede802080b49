import type { TransactionSettings } from "kysely";
import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, PostgresDriver } from "kysely";
import { type ClientBase, Pool, types } from "pg";
import type { Database, Schema } from "./schema.ts";

const connectTimeoutMs = 5_000;
const int8Oid = 20;
const byteaOid = 17;

/**
 * How long one statement may run, and wait for a lock within that. Who waits for a lock keeps a connection
 * from everyone else, so only what is itself slow may wait long.
 */
export interface TimeLimits {
  readonly statementMs: number;
  readonly lockMs: number;
}

export const timeLimits = {
  usual: { statementMs: 60_000, lockMs: 3_000 },
  /** For deleting a project with very many chunks, and for migrations. */
  slow: { statementMs: 600_000, lockMs: 30_000 },
} as const satisfies Readonly<Record<string, TimeLimits>>;

/** A transaction that its process has forgotten is ended after this long. */
const idleTransactionMs = 60_000;

/**
 * Opens connections as they are needed. Statements outside of transactions have the usual time limits.
 *
 * Limits are set by statements, not start-up parameters, which pgbouncer refuses. Where pgbouncer hands each
 * transaction another session, the ones set here hold for some sessions only; those that matter,
 * of writes that wait for locks, are set anew in each transaction.
 */
export function createPool(databaseUrl: string, maxConnections: number): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: "knowledge-context-service",
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: parserOf },
    // The pool waits for this, and drops the connection if it fails.
    onConnect: (client: ClientBase) => {
      // A connection that breaks at work fails its statement; unheard, its event would end the process as well.
      client.on("error", () => {});
      return client.query(settingsOf(timeLimits.usual, "session"));
    },
  });
  // An idle connection that breaks is replaced at the next use, which reports it if that fails too.
  pool.on("error", () => {});
  return pool;
}

/** The database over a pool, whose owner ends it; every transaction begins with the limits. */
export function databaseOver(pool: Pool, limits: TimeLimits): Database {
  return new Kysely<Schema>({ dialect: new LimitedDialect(pool, limits) });
}

class LimitedDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly #limits: TimeLimits;

  constructor(pool: Pool, limits: TimeLimits) {
    super({ pool });
    this.#pool = pool;
    this.#limits = limits;
  }

  override createDriver(): PostgresDriver {
    return new LimitedDriver(this.#pool, this.#limits);
  }
}

class LimitedDriver extends PostgresDriver {
  readonly #limits: TimeLimits;

  constructor(pool: Pool, limits: TimeLimits) {
    super({ pool });
    this.#limits = limits;
  }

  // In the round trip that begins the transaction: statements without parameters may go together.
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const begin = ["start transaction"];
    if (isolationLevel !== undefined) begin.push(`isolation level ${isolationLevel}`);
    if (accessMode !== undefined) begin.push(accessMode);
    const sql = `${begin.join(" ")}; ${settingsOf(this.#limits, "local")}`;
    await connection.executeQuery(CompiledQuery.raw(sql));
  }
}

function settingsOf(limits: TimeLimits, scope: "session" | "local"): string {
  return [
    `set ${scope} statement_timeout = ${limits.statementMs}`,
    `set ${scope} lock_timeout = ${limits.lockMs}`,
    `set ${scope} idle_in_transaction_session_timeout = ${idleTransactionMs}`,
  ].join("; ");
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
