import { DatabaseSync } from "node:sqlite";

/** How long a statement waits for another process (a backup, a shell) that holds the database. */
const busyTimeoutMs = 5_000;

/** Opens the database for writing and makes it durable: WAL, a sync at every commit. Creates the file. */
export function openWriterConnection(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  // Page size and vacuum mode only take effect before the first table. 8 kB pages hold two chunk rows; 4 kB one.
  db.exec("pragma page_size = 8192");
  db.exec("pragma auto_vacuum = incremental");
  db.exec("pragma journal_mode = wal");
  db.exec("pragma synchronous = full");
  db.exec("pragma journal_size_limit = 67108864");
  db.exec("pragma cache_size = -16384");
  db.exec("pragma temp_store = memory");
  return db;
}

/** A connection that cannot write. The file must exist, made by the writer. */
export function openReaderConnection(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly: true });
  db.exec("pragma query_only = on");
  // Enough for the inner pages of 100,000 chunks. Mapping the file into memory is no faster for the few rows of a
  // question, and counts as memory of the process once for each connection.
  db.exec("pragma cache_size = -8192");
  db.exec("pragma temp_store = memory");
  return db;
}
