import type { Database } from "../schema.ts";

/**
 * How an operation uses the database. read: one statement, which is a snapshot by itself. snapshot: several reads in one
 * snapshot. write: a transaction, which may be repeated from its beginning after a deadlock.
 */
export type OperationMode = "read" | "snapshot" | "write";

export interface Operation<Input, Output> {
  readonly mode: OperationMode;
  /** The operation may take minutes, or wait for another one that does. */
  readonly slow?: true;
  readonly run: (db: Database, input: Input) => Promise<Output>;
  /**
   * The same for PostgreSQL, where `run` would hold the event loop of the main thread, or where other statements are better. It may wait for
   * more than statements; others wait for the rows that it has locked, so it locks them late. In a thread of SQLite, `run` may be long and must not do that: others wait for its transaction.
   */
  readonly runOnServer?: (db: Database, input: Input) => Promise<Output>;
}
