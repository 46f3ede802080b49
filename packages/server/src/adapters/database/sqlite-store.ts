import { MessageChannel, type MessagePort, type ResourceLimits, Worker } from "node:worker_threads";
import { Kysely } from "kysely";
import type { AccountDatabase } from "../../ports/account-changes.ts";
import { ownWork, type ReadCurrentWork } from "../../ports/current-work.ts";
import type { Store } from "../../ports/store.ts";
import { createRpcClient } from "../../rpc/rpc.ts";
import type { Watch } from "../../rpc/watch.ts";
import { createAccountChanges } from "./account-changes.ts";
import { databaseFile } from "./data-directory.ts";
import { createPrivateFile, lockDataDirectory } from "./lock.ts";
import { refuseLostDatabase } from "./lost-database.ts";
import { findMisplaced, identifyFile, identifyLog, type OpenedFile, requireInPlace } from "./opened-files.ts";
import { createPortClient, type PortClient, type PortOptions } from "./port-client.ts";
import { createSqliteTransact } from "./sqlite-changes.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import { openSqliteReader } from "./sqlite-engine.ts";
import { DatabaseStartError } from "./start-error.ts";
import { createReadStoreClient, createStoreClient, type ReadStore } from "./store-client.ts";
import type { ControlReply, ControlRequest, ThreadSetup } from "./thread-messages.ts";

const FILE_CHECK_MS = 3_000;

/** What another thread needs to reach the database; the ports move with the message. */
export interface SqlitePorts {
  readonly kind: "sqlite";
  readonly path: string;
  /** What is at the path of another file is another database. */
  readonly file: OpenedFile;
  readonly write: MessagePort;
  readonly read: MessagePort;
}

export interface DatabaseThreads {
  readonly heap: ResourceLimits;
  readonly watch: Watch;
  /** How long a thread with work may give no sign of life. */
  readonly silenceMs: number;
  readonly onStarted: (role: ThreadSetup["role"]) => void;
  /** The number of this thread's requests without an answer changes. */
  readonly onPending: (role: ThreadSetup["role"], change: number) => void;
  /** A thread hangs. It cannot be replaced: nobody knows what it holds of the database. */
  readonly onHung: (role: ThreadSetup["role"]) => void;
  /** A file of the database is not in its place any more; null: all are again. */
  readonly onMisplaced: (path: string | null) => void;
}

export interface SqliteHandle {
  readonly store: Store;
  /** Its statements run in the writer thread, each on its own but for those of changes; it opens no transactions. */
  authDatabase(): AccountDatabase<Kysely<unknown>>;
  connect(): SqlitePorts;
}

/**
 * Opens the database in a data directory, which it locks and creates if necessary: one thread writes, one reads. The
 * threads are not watched when `threads` is omitted. `store.close()` lets running operations finish and releases the
 * directory.
 *
 * @throws DatabaseStartError when another process holds the directory, a newer version of the service wrote it, or its database
 * is gone (`wasUsed`: there must be one).
 */
export async function openSqlite(
  dataDir: string,
  options: { threads?: DatabaseThreads; currentWork?: ReadCurrentWork; wasUsed?: boolean } = {},
): Promise<SqliteHandle> {
  const { threads, currentWork = ownWork, wasUsed = false } = options;
  const lock = lockDataDirectory(dataDir);
  const path = databaseFile(dataDir);
  try {
    refuseLostDatabase(path, { wasUsed });
    createPrivateFile(path);
    const file = identifyFile(path, "database");
    const files = [file, lock.file];
    const writer = await startThread({ path, role: "writer", now: Date.now(), files }, threads);
    const reader = await startThread({ path, role: "reader", now: Date.now(), files }, threads).catch(
      async (error: unknown) => {
        await writer.close();
        throw error;
      },
    );
    const connect = (): SqlitePorts => ({
      kind: "sqlite",
      path,
      file,
      write: writer.connect(),
      read: reader.connect(),
    });
    const own = connect();
    const optionsOf = (role: ThreadSetup["role"]): PortOptions => ({
      onPending: (change) => threads?.onPending(role, change),
      currentWork,
    });
    const writes = createPortClient(own.write, optionsOf("writer"));
    const reads = createPortClient(own.read, optionsOf("reader"));
    const unwatch = watchThreads({ writer: writes, reader: reads }, threads);
    const unwatchFiles = watchFiles([...files, ...identifyLog(path)], threads);
    const close = onceOnly(async () => {
      await Promise.all([writes.close(), reads.close()]);
      unwatch();
      unwatchFiles();
      // The writer last: the last connection to close checkpoints the write-ahead log, and a reader cannot.
      await reader.close();
      await writer.close();
      lock.release();
    });
    return {
      store: storeOver({ writes, reads, close }),
      authDatabase: () => authDatabaseOver(writes),
      connect,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** For another thread than the one that opened the database. Closing this store closes its ports only. */
export function storeFromPorts(ports: SqlitePorts): Store {
  const writes = createPortClient(ports.write);
  const reads = createPortClient(ports.read);
  const close = async () => {
    await Promise.all([writes.close(), reads.close()]);
  };
  return storeOver({ writes, reads, close });
}

/** A connection of the calling thread's own, on which each read is synchronous. */
export function openLocalReader({ path, file }: Pick<SqlitePorts, "path" | "file">): ReadStore {
  requireInPlace([file]);
  const engine = openSqliteReader(path);
  return createReadStoreClient(
    (name, input) => engine.run(name, input),
    () => engine.close(),
  );
}

function storeOver(parts: { writes: PortClient; reads: PortClient; close: () => Promise<void> }): Store {
  const { writes, reads, close } = parts;
  return createStoreClient((name, input, mode) => (mode === "write" ? writes : reads).call(name, input), {
    close,
    now: Date.now,
  });
}

function authDatabaseOver(writes: PortClient): AccountDatabase<Kysely<unknown>> {
  const { change, route } = createAccountChanges(createSqliteTransact(writes.tryOut));
  const dialect = createSqliteDialect((query) => writes.execute(query.sql, query.parameters));
  // Errors are translated already.
  return { db: new Kysely<unknown>({ dialect: route(dialect) }), type: "sqlite", change };
}

/**
 * Returns the function that ends the watch. The threads are asked for signs of life without a request of this thread, too:
 * they may hang with one of another thread.
 */
function watchThreads(
  clients: Readonly<Record<ThreadSetup["role"], PortClient>>,
  threads: DatabaseThreads | undefined,
): () => void {
  if (threads === undefined) return () => undefined;
  const { watch, silenceMs, onHung } = threads;
  const ends = (["writer", "reader"] as const).map((role) => {
    const { rpc } = clients[role];
    return watch.add({
      client: {
        pending: 1,
        get signs() {
          return rpc.signs;
        },
        beat: rpc.beat,
      },
      silenceMs: () => silenceMs,
      onSilent: () => onHung(role),
    });
  });
  return () => {
    for (const end of ends) end();
  };
}

/**
 * Returns the function that ends it. The threads themselves refuse what would be lost; this is for the log, also of a service that
 * nobody uses.
 */
function watchFiles(files: readonly OpenedFile[], threads: DatabaseThreads | undefined): () => void {
  if (threads === undefined) return () => undefined;
  let isInPlace = true;
  let isWaiting = false;
  let hasEnded = false;
  const check = async () => {
    isWaiting = true;
    const found = await findMisplaced(files);
    isWaiting = false;
    if ((found === null) === isInPlace || hasEnded) return;
    isInPlace = found === null;
    threads.onMisplaced(found?.path ?? null);
  };
  // A file system that does not answer is not asked again meanwhile.
  const timer = setInterval(() => {
    if (!isWaiting) void check();
  }, FILE_CHECK_MS).unref();
  return () => {
    hasEnded = true;
    clearInterval(timer);
  };
}

interface DatabaseThread {
  connect(): MessagePort;
  close(): Promise<void>;
}

/** After the start, an error in the thread, or its end before it is closed, is an uncaught exception of the process. */
async function startThread(
  setup: ThreadSetup,
  threads: DatabaseThreads | undefined,
): Promise<DatabaseThread> {
  const worker = new Worker(new URL("./sqlite-thread.ts", import.meta.url), {
    workerData: setup,
    ...(threads === undefined ? {} : { resourceLimits: threads.heap }),
  });
  const control = createRpcClient<ControlRequest, ControlReply>(worker);
  let state: "starting" | "serving" | "closing" = "starting";
  const exited = new Promise<void>((resolve) => {
    worker.once("exit", () => {
      resolve();
      const error = new Error(`The database's ${setup.role} thread has ended. Start the service again.`);
      if (state === "serving") throw error;
      if (state === "starting") control.fail(error);
    });
  });
  worker.once("error", control.fail);
  const { startFault } = await control.call({ kind: "open" });
  worker.off("error", control.fail);
  if (startFault !== null) {
    const cause = startFault.cause === null ? undefined : new Error(startFault.cause);
    throw new DatabaseStartError(startFault.message, cause);
  }
  state = "serving";
  threads?.onStarted(setup.role);
  return {
    connect: () => {
      const { port1, port2 } = new MessageChannel();
      void control.call({ kind: "connect", port: port2 }, [port2]);
      return port1;
    },
    close: async () => {
      state = "closing";
      void control.call({ kind: "close" });
      await exited;
    },
  };
}

function onceOnly(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}
