import type { Database } from "../schema.ts";

/**
 * How an operation touches the database. read: one statement, a snapshot by itself. snapshot: several
 * reads that must agree. write: a transaction that may be repeated whole after a deadlock.
 */
export type OperationMode = "read" | "snapshot" | "write";

export interface Operation<Input, Output> {
  readonly mode: OperationMode;
  /** May take minutes, and wait for others that take long. */
  readonly slow?: true;
  readonly run: (db: Database, input: Input) => Promise<Output>;
}
