import { join } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { Kysely } from "kysely";
import type { Store } from "../../ports/store.ts";
import { createPrivateFile, lockDataDirectory } from "./lock.ts";
import { createPortClient, type PortClient } from "./port-client.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import { openSqliteReader } from "./sqlite-engine.ts";
import { createReadStoreClient, createStoreClient, type ReadStore } from "./store-client.ts";
import { fromWireError, type ThreadControl, type ThreadNotice, type ThreadSetup } from "./thread-messages.ts";

/** What another thread needs to reach the database; the ports move with the message. */
export interface SqlitePorts {
  readonly kind: "sqlite";
  readonly path: string;
  readonly write: MessagePort;
  readonly read: MessagePort;
}

export interface SqliteHandle {
  readonly store: Store;
  /** A Kysely whose statements run in the writer thread, each on its own; it opens no transactions. */
  authDatabase(): Kysely<unknown>;
  connect(): SqlitePorts;
}

/**
 * Opens the database in a data directory, which it locks and makes where needed: one thread that
 * writes, one that reads. `store.close()` lets what is under way finish and gives the directory back.
 *
 * @throws DatabaseStartError when another process holds the directory, or a newer version of the service wrote it.
 */
export async function openSqlite(dataDir: string): Promise<SqliteHandle> {
  const lock = lockDataDirectory(dataDir);
  const path = join(dataDir, "knowledge.sqlite");
  try {
    createPrivateFile(path);
    const writer = await startThread({ path, role: "writer", now: Date.now() });
    const reader = await startThread({ path, role: "reader", now: Date.now() }).catch(
      async (error: unknown) => {
        await writer.close();
        throw error;
      },
    );
    const connect = (): SqlitePorts => ({
      kind: "sqlite",
      path,
      write: writer.connect(),
      read: reader.connect(),
    });
    const own = connect();
    const writes = createPortClient(own.write);
    const reads = createPortClient(own.read);
    const close = onceOnly(async () => {
      await Promise.all([writes.close(), reads.close()]);
      // The writer last: who closes last folds the write-ahead log into the database, and a reader cannot.
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

/** A store in another thread than the one that opened the database. Closing it closes its ports only. */
export function storeFromPorts(ports: SqlitePorts): Store {
  const writes = createPortClient(ports.write);
  const reads = createPortClient(ports.read);
  const close = async () => {
    await Promise.all([writes.close(), reads.close()]);
  };
  return storeOver({ writes, reads, close });
}

/** Reads without another thread: a connection of the calling thread's own, on which each read is synchronous. */
export function openLocalReader(path: string): ReadStore {
  const engine = openSqliteReader(path);
  return createReadStoreClient(
    (name, input) => engine.run(name, input),
    () => engine.close(),
  );
}

function storeOver(parts: { writes: PortClient; reads: PortClient; close: () => Promise<void> }): Store {
  const { writes, reads, close } = parts;
  return createStoreClient(
    (name, input, mode) => (mode === "write" ? writes : reads).call(name, input),
    close,
  );
}

function authDatabaseOver(writes: PortClient): Kysely<unknown> {
  return new Kysely<unknown>({
    dialect: createSqliteDialect((query) => writes.execute(query.sql, query.parameters)),
  });
}

interface DatabaseThread {
  connect(): MessagePort;
  close(): Promise<void>;
}

async function startThread(setup: ThreadSetup): Promise<DatabaseThread> {
  const worker = new Worker(new URL("./sqlite-thread.ts", import.meta.url), {
    workerData: setup,
    // Rows come and go quickly here; V8's own limits would let them lie about.
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1024 },
  });
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (notice: ThreadNotice) => {
      // From here on a fault of the thread itself is a bug, and rises.
      worker.off("error", reject);
      if (notice.kind === "failed") reject(fromWireError(notice.error));
      else resolve();
    });
  });
  return {
    connect: () => {
      const { port1, port2 } = new MessageChannel();
      const control: ThreadControl = { kind: "connect", port: port2 };
      worker.postMessage(control, [port2]);
      return port1;
    },
    close: async () => {
      const control: ThreadControl = { kind: "close" };
      worker.postMessage(control);
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
