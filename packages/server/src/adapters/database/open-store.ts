import type { MessagePort } from "node:worker_threads";
import type { Kysely } from "kysely";
import type { ReadCurrentWork } from "../../ports/current-work.ts";
import type { Store } from "../../ports/store.ts";
import type { DatabaseKind } from "./migrate.ts";
import { type ConnectionLimits, openPostgres } from "./postgres-store.ts";
import {
  type DatabaseThreads,
  openLocalReader,
  openSqlite,
  type SqlitePorts,
  storeFromPorts,
} from "./sqlite-store.ts";
import type { ReadStore } from "./store-client.ts";

/** In the form of better-auth's `database` option. */
export interface AuthDatabase {
  readonly db: Kysely<unknown>;
  readonly type: DatabaseKind;
  /** False on SQLite, where each statement runs on its own between the service's operations. */
  readonly transaction: boolean;
}

/**
 * Connections to PostgreSQL: at most 28 for a service and its ingest thread, and 2 for each query thread. A server allows
 * 100 by default, for all replicas together.
 */
const maxConnections = {
  main: { writes: 10, reads: 6 },
  thread: { writes: 8, reads: 4 },
  /** It never writes, so it opens no connection for writes. */
  reader: { writes: 1, reads: 2 },
} as const;

/** How another thread reaches the database: plain data, and ports (`portsOf`) that must be transferred with it. */
export type ThreadDatabase = SqlitePorts | { readonly kind: "postgres"; readonly databaseUrl: string };

export interface OpenedStore {
  readonly kind: DatabaseKind;
  readonly store: Store;
  authDatabase(): AuthDatabase;
  connectThread(): ThreadDatabase;
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
}): Promise<OpenedStore> {
  const { databaseUrl, dataDir, wasUsed = false, ...shared } = options;
  if (databaseUrl !== null) {
    const handle = await openPostgres(databaseUrl, {
      migrate: true,
      maxConnections: maxConnections.main,
      ...shared,
    });
    return {
      kind: "postgres",
      store: handle.store,
      authDatabase: () => ({ db: handle.authDatabase(), type: "postgres", transaction: true }),
      connectThread: () => ({ kind: "postgres", databaseUrl }),
    };
  }
  const handle = await openSqlite(dataDir, { ...shared, wasUsed });
  return {
    kind: "sqlite",
    store: handle.store,
    authDatabase: () => ({ db: handle.authDatabase(), type: "sqlite", transaction: false }),
    connectThread: handle.connect,
  };
}

/** The ports that `postMessage` or a `Worker` must list as transferred with the connection. */
export function portsOf(connection: ThreadDatabase): MessagePort[] {
  return connection.kind === "sqlite" ? [connection.write, connection.read] : [];
}

/** The store in the thread that received the connection. */
export async function openThreadStore(connection: ThreadDatabase): Promise<Store> {
  if (connection.kind === "sqlite") return storeFromPorts(connection);
  return openPostgresThread(connection.databaseUrl, { maxConnections: maxConnections.thread });
}

/** Reads only, for query threads: on SQLite they run in the calling thread. */
export async function openThreadReader(connection: ThreadDatabase): Promise<ReadStore> {
  if (connection.kind === "postgres") {
    return openPostgresThread(connection.databaseUrl, {
      maxConnections: maxConnections.reader,
      clock: "own",
    });
  }
  for (const port of portsOf(connection)) port.close();
  return openLocalReader(connection);
}

async function openPostgresThread(
  databaseUrl: string,
  options: { readonly maxConnections: ConnectionLimits; readonly clock?: "own" },
): Promise<Store> {
  const { store } = await openPostgres(databaseUrl, { migrate: false, ...options });
  return store;
}
