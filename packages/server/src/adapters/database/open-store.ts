import type { MessagePort } from "node:worker_threads";
import type { Kysely } from "kysely";
import type { AccountDatabase } from "../../ports/account-changes.ts";
import type { ReadCurrentWork } from "../../ports/current-work.ts";
import type { Store } from "../../ports/store.ts";
import { type ConnectionLimits, shareConnections, usualConnections } from "./connection-limits.ts";
import type { DatabaseKind } from "./migrate.ts";
import { createPoolBoard, type PoolBoard } from "./pool-board.ts";
import type { CallTimes } from "./postgres-pool.ts";
import { openPostgres } from "./postgres-store.ts";
import {
  type DatabaseThreads,
  openLocalReader,
  openSqlite,
  type SqlitePorts,
  storeFromPorts,
} from "./sqlite-store.ts";
import type { ReadStore } from "./store-client.ts";

/** Which thread connects: the ingest thread, or the query thread with this number, from 0. */
export type ConnectingThread = "ingest" | number;

/** How another thread reaches the database: plain data, and ports (`portsOf`) that must be transferred with it. */
export type ThreadDatabase = SqlitePorts | PostgresConnection;

interface PostgresConnection {
  readonly kind: "postgres";
  readonly databaseUrl: string;
  readonly thread: ConnectingThread;
  readonly maxConnections: ConnectionLimits;
  readonly times?: CallTimes | undefined;
  /** Of the pool board. */
  readonly board: SharedArrayBuffer;
}

export interface OpenedStore {
  readonly kind: DatabaseKind;
  readonly store: Store;
  authDatabase(): AccountDatabase<Kysely<unknown>>;
  connectThread(thread?: ConnectingThread): ThreadDatabase;
  /** Use of the connections; null where there are none. */
  readonly poolBoard: Pick<PoolBoard, "read"> | null;
}

/**
 * Opens the PostgreSQL database at `databaseUrl` or, with null, the embedded one in `dataDir`, and brings
 * its schema up to date. `store.close()` ends it.
 *
 * @throws DatabaseStartError when the server does not answer or refuses the user, the data directory is in
 * use or not writable, or the schema is newer than this version of the service.
 */
export async function openStore(options: {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** A service has used the directory, so the embedded database must not begin empty. */
  readonly wasUsed?: boolean;
  /** Of the embedded database; not watched when omitted. */
  readonly threads?: DatabaseThreads;
  /** Without it, all work is the service's own. */
  readonly currentWork?: ReadCurrentWork;
  /** To PostgreSQL, of all threads together. */
  readonly connections?: { readonly total: number; readonly queryThreads: number };
  /** Of calls to PostgreSQL. The usual ones when omitted. */
  readonly times?: CallTimes | undefined;
  /** False leaves the schema on PostgreSQL as it is, for a look beside running processes. Default: true. */
  readonly migrate?: boolean;
}): Promise<OpenedStore> {
  const { databaseUrl, dataDir, wasUsed = false, connections, migrate = true, times, ...shared } = options;
  if (databaseUrl !== null) return openServer(databaseUrl, { ...shared, connections, migrate, times });
  const handle = await openSqlite(dataDir, { ...shared, wasUsed });
  return {
    kind: "sqlite",
    store: handle.store,
    authDatabase: handle.authDatabase,
    connectThread: handle.connect,
    poolBoard: null,
  };
}

async function openServer(
  databaseUrl: string,
  options: Pick<Parameters<typeof openStore>[0], "currentWork"> & {
    readonly connections: { readonly total: number; readonly queryThreads: number } | undefined;
    readonly migrate: boolean;
    readonly times: CallTimes | undefined;
  },
): Promise<OpenedStore> {
  const { connections = ONE_QUERY_THREAD, ...shared } = options;
  const limits = shareConnections(connections.total, connections.queryThreads);
  const board = createPoolBoard();
  const handle = await openPostgres(databaseUrl, {
    maxConnections: limits.main,
    meters: board.meters("main"),
    ...shared,
  });
  return {
    kind: "postgres",
    store: handle.store,
    authDatabase: handle.authDatabase,
    connectThread(thread = "ingest") {
      if (thread === "ingest") board.forget("ingest");
      else board.forget("query", thread);
      // A query thread never writes, so it opens no connection for writes.
      const maxConnections = thread === "ingest" ? limits.ingest : { writes: 1, reads: limits.query };
      const { times } = shared;
      return { kind: "postgres", databaseUrl, thread, maxConnections, times, board: board.memory };
    },
    poolBoard: board,
  };
}

/** Few connections, and questions that come one by one should not wait for a login. */
const QUERY_IDLE_MS = 60_000;
/** Commands and tests. */
const ONE_QUERY_THREAD = { total: usualConnections(1), queryThreads: 1 };

/** The ports that `postMessage` or a `Worker` must list as transferred with the connection. */
export function portsOf(connection: ThreadDatabase): MessagePort[] {
  return connection.kind === "sqlite" ? [connection.write, connection.read] : [];
}

/** The store in the thread that received the connection. */
export async function openThreadStore(connection: ThreadDatabase): Promise<Store> {
  if (connection.kind === "sqlite") return storeFromPorts(connection);
  return openPostgresThread(connection);
}

/** Reads only, for query threads: on SQLite they run in the calling thread. */
export async function openThreadReader(connection: ThreadDatabase): Promise<ReadStore> {
  if (connection.kind === "postgres") {
    return openPostgresThread(connection, { clock: "own", readsIdleMs: QUERY_IDLE_MS });
  }
  for (const port of portsOf(connection)) port.close();
  return openLocalReader(connection);
}

async function openPostgresThread(
  { databaseUrl, thread, maxConnections, times, board }: PostgresConnection,
  options: { readonly clock?: "own"; readonly readsIdleMs?: number } = {},
): Promise<Store> {
  const { meters } = createPoolBoard(board);
  const { store } = await openPostgres(databaseUrl, {
    migrate: false,
    ...{ maxConnections, times },
    meters: thread === "ingest" ? meters("ingest") : meters("query", thread),
    ...options,
  });
  return store;
}
