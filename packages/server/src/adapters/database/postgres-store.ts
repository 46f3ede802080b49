import { Kysely, sql } from "kysely";
import type { Pool } from "pg";
import type { AccountDatabase } from "../../ports/account-changes.ts";
import { ownWork, type ReadCurrentWork } from "../../ports/current-work.ts";
import { type Store, StoreUnavailableError } from "../../ports/store.ts";
import { createAccountChanges, type Transact } from "./account-changes.ts";
import { createCallTurns, type RunInTurn } from "./call-turns.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { createMigrationTable, lockMigrations, migrate } from "./migrate.ts";
import type { OperationMode } from "./operations/operation.ts";
import { type OperationName, operations } from "./operations/registry.ts";
import { createPoolBoard, type PoolMeter, type PoolMeters } from "./pool-board.ts";
import { createServerClock, type ServerClock } from "./postgres-clock.ts";
import { isConflict, translatePostgresError } from "./postgres-errors.ts";
import {
  type CallTimes,
  createPool,
  databaseOver,
  LimitedDialect,
  timeLimits,
  usualTimes,
} from "./postgres-pool.ts";
import type { Database } from "./schema.ts";
import { DatabaseStartError } from "./start-error.ts";
import { createStoreClient } from "./store-client.ts";

/** Limit of tries of a write that conflicts with other transactions. */
const maxTries = 3;

/** The same server through different pools and with different time limits. */
interface Databases {
  readonly reads: Database;
  readonly writes: Database;
  readonly slowWrites: Database;
}

export interface PostgresHandle {
  readonly store: Store;
  authDatabase(): AccountDatabase<Kysely<unknown>>;
}

/**
 * Connects to a PostgreSQL server and applies missing migrations. A second process that starts at the same
 * time waits for the first. Needs no extension and no setting of the server.
 *
 * @throws DatabaseStartError when the server does not answer, refuses the credentials, or has a newer schema.
 */
export async function openPostgres(
  databaseUrl: string,
  options: {
    readonly migrate: boolean;
    readonly maxConnections: ConnectionLimits;
    readonly meters?: PoolMeters;
    /** After this time without use, connections for reads are closed. */
    readonly readsIdleMs?: number;
    readonly currentWork?: ReadCurrentWork;
    /** "own": that of this machine, for threads that keep no leases, rates or retries. The server's when omitted. */
    readonly clock?: "own";
    readonly localClock?: () => number;
    readonly times?: CallTimes | undefined;
  },
): Promise<PostgresHandle> {
  const { maxConnections, meters = createPoolBoard().meters("main"), readsIdleMs } = options;
  const { times = usualTimes } = options;
  const pools = {
    reads: createPool(databaseUrl, maxConnections.reads, {
      ...{ meter: meters.reads, times, pipeline: true, keepsStatements: true },
      ...(readsIdleMs === undefined ? {} : { idleMs: readsIdleMs }),
    }),
    writes: createPool(databaseUrl, maxConnections.writes, { meter: meters.writes, times }),
  };
  const databases: Databases = {
    reads: databaseOver(pools.reads, timeLimits.usual),
    writes: databaseOver(pools.writes, timeLimits.usual),
    slowWrites: databaseOver(pools.writes, timeLimits.slow),
  };
  let closed: Promise<unknown> | null = null;
  const close = async () => {
    clock?.stop();
    closed ??= Promise.all([pools.reads.end(), pools.writes.end()]);
    await closed;
  };
  let clock: ServerClock | null = null;
  try {
    if (options.migrate) await migratePostgres(databases.slowWrites);
    if (options.clock !== "own")
      clock = await createServerClock(() => readServerClock(databases.reads), options.localClock);
  } catch (error) {
    await close();
    throw toStartError(error);
  }
  const { turnMs } = times;
  const createTurns = (atOnce: number, meter: PoolMeter) =>
    createPoolTurns(atOnce, { meter, turnMs, currentWork: options.currentWork ?? ownWork });
  const turns = {
    reads: createTurns(maxConnections.reads, meters.reads),
    writes: createTurns(maxConnections.writes, meters.writes),
  };
  const onConflict = () => meters.writes.add("conflicts", 1);
  const call = async (name: OperationName, input: unknown, mode: OperationMode) => {
    const runInTurn = mode === "write" ? turns.writes : turns.reads;
    try {
      return await runInTurn(mode, () => runOperation(databases, { name, input, onConflict }));
    } catch (error) {
      throw translatePostgresError(error);
    }
  };
  return {
    store: createStoreClient(call, { close, now: clock?.now ?? Date.now }),
    authDatabase: () => accountDatabase(pools.reads, transactOn(databases.writes, turns.writes)),
  };
}

/** Over connections that are there already. Changes of accounts run on those for writes, which wait for locks. */
function accountDatabase(reads: Pool, transact: Transact): AccountDatabase<Kysely<unknown>> {
  const { change, route } = createAccountChanges(transact);
  const dialect = route(new LimitedDialect(reads, timeLimits.usual));
  const db = new Kysely<unknown>({ dialect });
  return { db, type: "postgres", change, translateError: translatePostgresError };
}

function transactOn(writes: Database, runInTurn: RunInTurn): Transact {
  return async (accountId, run) => {
    const transaction = () =>
      writes
        .transaction()
        .setIsolationLevel("read committed")
        .execute(async (scoped) => {
          // Before all rows of the account: of two of its changes one waits here, and neither holds a row that the other waits for.
          if (accountId !== null)
            await sql`select 1 from "user" where id = ${accountId} for no key update`.execute(scoped);
          await run((query) => scoped.executeQuery(query));
        });
    await runInTurn("write", transaction).catch((error: unknown) => {
      throw translatePostgresError(error);
    });
  };
}

/** Half of a pool at most is one account's, so that its slow statements leave the other half to others. */
function createPoolTurns(
  connections: number,
  options: { readonly meter: PoolMeter; readonly turnMs: number; readonly currentWork: ReadCurrentWork },
): RunInTurn {
  const { turnMs, meter, currentWork } = options;
  const limit = { waitMs: turnMs, meter };
  return createCallTurns({ atOnce: connections, ofAccount: Math.ceil(connections / 2), currentWork, limit });
}

async function runOperation(
  databases: Databases,
  call: { readonly name: OperationName; readonly input: unknown; readonly onConflict: () => void },
): Promise<unknown> {
  const { name, input, onConflict } = call;
  const { mode, slow, ...operation } = operations[name];
  const run = operation.runOnServer ?? operation.run;
  if (mode === "read") return run(databases.reads, input);
  if (mode === "snapshot") {
    const transaction = databases.reads
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only");
    return transaction.execute((scoped) => run(scoped, input));
  }
  const db = slow === true ? databases.slowWrites : databases.writes;
  for (let attempt = 1; ; attempt++) {
    try {
      const transaction = db.transaction().setIsolationLevel("read committed");
      return await transaction.execute((scoped) => run(scoped, input));
    } catch (error) {
      if (!isConflict(error)) throw error;
      onConflict();
      if (attempt >= maxTries) throw error;
    }
  }
}

async function readServerClock(db: Database): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  return rows[0]?.ms ?? Number.NaN;
}

function toStartError(error: unknown): unknown {
  const translated = translatePostgresError(error);
  if (!(translated instanceof StoreUnavailableError)) return error;
  // Whoever starts the service may read what its callers may not.
  const { reason, cause } = translated;
  const said = reason === "refused" && cause instanceof Error ? ` It said: ${cause.message}.` : "";
  return new DatabaseStartError(`${translated.message}${said}`, error);
}

async function migratePostgres(db: Database): Promise<void> {
  await createMigrationTable("postgres")
    .execute(db)
    // If two processes create the table at once, one of them fails although the table exists then.
    .catch(() => createMigrationTable("postgres").execute(db));
  await db.transaction().execute(async (scoped) => {
    await sql.raw(`set local lock_timeout = ${timeLimits.slow.statementMs}`).execute(scoped);
    await lockMigrations().execute(scoped);
    // A change of a table that others use waits for less, because they wait behind it.
    await sql.raw(`set local lock_timeout = ${timeLimits.slow.lockMs}`).execute(scoped);
    await migrate(scoped, { kind: "postgres", now: Date.now() });
  });
}
