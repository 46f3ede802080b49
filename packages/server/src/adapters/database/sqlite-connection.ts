import { DatabaseSync } from "node:sqlite";

/** How long a statement waits for another process (a backup or a shell) that has locked the database. */
const busyTimeoutMs = 5_000;

/** Opens the database for writing. Durable: WAL with a sync at every commit. Creates the file if needed. */
export function openWriterConnection(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  // Page size and vacuum mode take effect only before the first table exists. A page of 8 kB holds two chunk
  // rows, one of 4 kB only one.
  db.exec("pragma page_size = 8192");
  db.exec("pragma auto_vacuum = incremental");
  db.exec("pragma journal_mode = wal");
  db.exec("pragma synchronous = full");
  db.exec("pragma journal_size_limit = 67108864");
  db.exec("pragma cache_size = -16384");
  db.exec("pragma temp_store = memory");
  return db;
}

/** A read-only connection. The file must exist; the writer creates it. */
export function openReaderConnection(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly: true });
  db.exec("pragma query_only = on");
  // Enough for the inner pages of 100,000 chunks. Mapping the file into memory is not faster for the few rows
  // of a question, and counts as process memory for every connection.
  db.exec("pragma cache_size = -8192");
  db.exec("pragma temp_store = memory");
  return db;
}
