import { setTimeout as delay } from "node:timers/promises";
import type { TransactionSettings } from "kysely";
import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, PostgresDriver } from "kysely";
import { type ClientBase, Pool, types } from "pg";
import type { PoolMeter } from "./pool-board.ts";
import { CarefulClient } from "./postgres-client.ts";
import { answerCopies } from "./postgres-copy.ts";
import { isWithoutConnections, translateConnectError } from "./postgres-errors.ts";
import { createStatementNames, isDirect, keepStatements, type NameStatement } from "./postgres-statements.ts";
import { cut, usualWatch, type WatchTimes, watchServer } from "./postgres-watch.ts";
import type { Database, Schema } from "./schema.ts";

const keepAliveMs = 10_000;
/** Shorter than the wait for a connection: where there are too few, whoever needs one gets those that others have used before. */
const usualIdleMs = 2_000;
/** How long a call waits where the server has no connection left. A request may wait so for its key, its work and its access. */
const noConnectionMs = 3_000;
/** About so long after the server has refused one more connection, it is asked again. */
const retryConnectMs = 100;
const BEGIN = "start transaction";
const int8Oid = 20;
const byteaOid = 17;

/**
 * Limits of the duration of one statement and of its wait for a lock, which is part of that duration. A
 * statement that waits for a lock occupies a connection, so only operations that are slow themselves may wait
 * long.
 */
export interface TimeLimits {
  readonly statementMs: number;
  readonly lockMs: number;
}

export const timeLimits = {
  usual: { statementMs: 60_000, lockMs: 3_000 },
  /** For the deletion of large projects, and for migrations. */
  slow: { statementMs: 600_000, lockMs: 30_000 },
} as const satisfies Readonly<Record<string, TimeLimits>>;

/** How long a call waits for what does not answer. Plain data, so that other threads get the same. */
export interface CallTimes {
  /** For a connection. */
  readonly connectMs: number;
  /** For its turn, while the connections are in use. */
  readonly turnMs: number;
  readonly watch: WatchTimes;
}

export const usualTimes: CallTimes = { connectMs: 5_000, turnMs: 10_000, watch: usualWatch };

/** The server ends a transaction that has been idle for this long. */
const idleTransactionMs = 60_000;

/**
 * Opens connections on demand. Statements outside of transactions have the usual time limits.
 *
 * Limits are set by statements, because pgbouncer rejects start-up parameters. If pgbouncer assigns a
 * different session to each transaction, the session limits apply to some sessions only; therefore each
 * transaction sets its own limits again, which matters most for writes that wait for locks.
 */
export function createPool(
  databaseUrl: string,
  maxConnections: number,
  options: {
    readonly times?: CallTimes;
    readonly meter?: PoolMeter;
    readonly idleMs?: number;
    /** A statement is sent before those before it are answered: a snapshot then costs no round trip for its beginning and its end. */
    readonly pipeline?: boolean;
    /** The server keeps statements that read, where no pooler is between. */
    readonly keepsStatements?: boolean;
  } = {},
): Pool {
  const { times = usualTimes, meter, idleMs = usualIdleMs, pipeline = false } = options;
  const nameOf = options.keepsStatements === true ? createStatementNames() : null;
  const pool = new Pool({
    Client: CarefulClient,
    connectionString: databaseUrl,
    application_name: "knowledge-context-service",
    max: maxConnections,
    pipeline,
    connectionTimeoutMillis: times.connectMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    // A peer that is gone is noticed ten probes, a second apart, after this; by default the system begins after two hours.
    keepAliveInitialDelayMillis: keepAliveMs,
    types: { getTypeParser: parserOf },
    // The pool awaits this and discards the connection if it fails.
    onConnect: (client: ClientBase) => {
      // A connection that breaks during a statement fails that statement. Without a listener, its `error`
      // event would also end the process.
      client.on("error", () => {});
      // The pool's own deadline ends with the login.
      const late = setTimeout(() => cut(client), times.connectMs);
      return prepare(client, nameOf).finally(() => clearTimeout(late));
    },
  });
  // An idle connection that breaks is replaced at the next use, which reports the error if it fails as well.
  pool.on("error", () => {});
  if (meter !== undefined) measureUse(pool, meter);
  const limitMs = timeLimits.usual.statementMs;
  watchServer(pool, { databaseUrl, limitMs, limitOf: limitIn, times: times.watch });
  return pool;
}

async function prepare(client: ClientBase, nameOf: NameStatement | null): Promise<void> {
  answerCopies(client);
  const asked = `${settingsOf(timeLimits.usual, "session")}; select pg_backend_pid() as id`;
  const results: unknown = await client.query(asked);
  if (nameOf === null || !Array.isArray(results)) return;
  if (isDirect(client, results.at(-1)?.rows[0]?.id)) keepStatements(client, nameOf);
}

function measureUse(pool: Pool, meter: PoolMeter): void {
  pool.on("connect", () => meter.add("open", 1));
  pool.on("remove", () => meter.add("open", -1));
  pool.on("acquire", () => meter.add("in_use", 1));
  pool.on("release", () => meter.add("in_use", -1));
}

/** A database on top of a pool. The pool's owner closes it. */
export function databaseOver(pool: Pool, limits: TimeLimits): Database {
  return new Kysely<Schema>({ dialect: new LimitedDialect(pool, limits) });
}

/** Every transaction starts by setting the limits. */
export class LimitedDialect extends PostgresDialect {
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
  /** The beginnings of snapshots. */
  readonly #begun = new WeakMap<DatabaseConnection, Promise<unknown>>();

  constructor(pool: Pool, limits: TimeLimits) {
    super({ pool });
    this.#limits = limits;
  }

  // Where the server has no connection left for this process, one of its own may become free, or another process give one up.
  override async acquireConnection(): Promise<DatabaseConnection> {
    const until = performance.now() + noConnectionMs;
    for (;;) {
      try {
        return await super.acquireConnection();
      } catch (error) {
        if (!isWithoutConnections(error) || performance.now() > until) throw translateConnectError(error);
      }
      await delay(retryConnectMs * (0.5 + Math.random()));
    }
  }

  // Sets the limits in the round trip that starts the transaction: statements without parameters can be sent
  // together.
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const begin: string[] = [BEGIN];
    if (isolationLevel !== undefined) begin.push(`isolation level ${isolationLevel}`);
    if (accessMode !== undefined) begin.push(accessMode);
    const sql = `${begin.join(" ")}; ${settingsOf(this.#limits, "local")}`;
    const begun = connection.executeQuery(CompiledQuery.raw(sql));
    if (accessMode !== "read only") return void (await begun);
    begun.catch(() => undefined); // Told at the end.
    this.#begun.set(connection, begun);
  }

  // A snapshot is as good once all is read. What uses the connection next is answered after the end.
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const begun = this.#begun.get(connection);
    if (begun === undefined) return super.commitTransaction(connection);
    this.#begun.delete(connection);
    await begun;
    super.commitTransaction(connection).catch(() => undefined);
  }

  override async rollbackTransaction(
    connection: Parameters<PostgresDriver["rollbackTransaction"]>[0],
  ): Promise<void> {
    this.#begun.delete(connection);
    await super.rollbackTransaction(connection);
  }
}

function settingsOf(limits: TimeLimits, scope: "session" | "local"): string {
  return [
    `set ${scope} statement_timeout = ${limits.statementMs}`,
    `set ${scope} lock_timeout = ${limits.lockMs}`,
    `set ${scope} idle_in_transaction_session_timeout = ${idleTransactionMs}`,
  ].join("; ");
}

/** The limit that the start of a transaction sets for its statements; null for other statements. */
function limitIn(statement: string): number | null {
  const limit = statement.startsWith(BEGIN) ? /statement_timeout = (\d+)/.exec(statement)?.[1] : undefined;
  return limit === undefined ? null : Number(limit);
}

/**
 * Parses 64-bit integers to numbers, and bytes to a buffer of their own that can be transferred to another
 * thread.
 */
function parserOf(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  if (format !== "binary") {
    if (oid === int8Oid) return parseInt8;
    if (oid === byteaOid) return parseBytes;
  }
  // All parsers of the text format take a string.
  return types.getTypeParser(oid, format) as (value: string) => unknown;
}

function parseInt8(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(
      `The database contains the integer ${value}, which is too large for a JavaScript number.`,
    );
  return number;
}

function parseBytes(value: string): Uint8Array {
  if (!value.startsWith("\\x"))
    throw new Error("Set the PostgreSQL server's bytea_output to its default, hex.");
  const bytes = new Uint8Array((value.length - 2) / 2);
  // Node decodes five times as fast as `Uint8Array.fromHex`, and stops where there is no hex digit.
  if (Buffer.from(bytes.buffer).write(value.slice(2), "hex") === bytes.length) return bytes;
  throw new Error("The database contains bytes that are not written as hex digits.");
}
