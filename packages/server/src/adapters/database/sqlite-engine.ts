import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { type CompiledQuery, Kysely, type QueryResult } from "kysely";
import { createMigrationTable, migrate } from "./migrate.ts";
import { type OperationName, operations } from "./operations/registry.ts";
import type { Schema } from "./schema.ts";
import { runTrial, type Trial, type TrialResult } from "./sqlite-changes.ts";
import { openReaderConnection, openWriterConnection } from "./sqlite-connection.ts";
import { createSqliteDialect, createStatementRunner } from "./sqlite-dialect.ts";
import { translateOpenError, translateSqliteError } from "./sqlite-errors.ts";

/** One connection. Operations run one after the other, each in a transaction of its own. */
export interface SqliteEngine {
  run(name: OperationName, input: unknown): Promise<unknown>;
  /** One statement outside the operations (better-auth's), in the same queue. */
  execute(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>>;
  /** Several such statements in a transaction of their own. */
  tryOut(trial: Trial): Promise<TrialResult>;
  /** Waits for queued operations, then closes the connection. */
  close(): Promise<void>;
}

/** An operation of many statements (the deletion of a large project) takes minutes; after this time the thread gives a sign of life. */
const TURN_MS = 1_000;

interface EngineOptions {
  /** Throws when what is written would be lost; called before each write and check. */
  readonly requireInPlace?: () => void;
  readonly turnMs?: number;
}

/** Opens the writing connection and brings the schema up to date. */
export async function openSqliteWriter(
  path: string,
  now: number,
  options: EngineOptions = {},
): Promise<SqliteEngine> {
  const connection = openAt(path, openWriterConnection);
  const { db, engine } = createEngine(connection, "begin immediate", options);
  try {
    connection.exec("begin immediate");
    await createMigrationTable("sqlite").execute(db);
    await migrate(db, { kind: "sqlite", now });
    connection.exec("commit");
  } catch (error) {
    connection.close();
    throw translateOpenError(error, path);
  }
  return engine;
}

function openAt(path: string, open: (path: string) => DatabaseSync): DatabaseSync {
  try {
    return open(path);
  } catch (error) {
    throw translateOpenError(error, path);
  }
}

/** Opens a connection that refuses writes; several may read while the writer writes. */
export function openSqliteReader(path: string, options: EngineOptions = {}): SqliteEngine {
  return createEngine(openAt(path, openReaderConnection), "begin", options).engine;
}

/** Over an open connection, whatever its schema is. */
export function createEngine(
  connection: DatabaseSync,
  begin: "begin" | "begin immediate",
  { requireInPlace = () => undefined, turnMs = TURN_MS }: EngineOptions = {},
): { db: Kysely<Schema>; engine: SqliteEngine } {
  const runStatement = createStatementRunner(connection);
  let lastTurn = performance.now();
  const runInTurns = async ({ sql, parameters }: CompiledQuery) => {
    // Safe within a transaction: requests that arrive meanwhile wait in the queue.
    if (performance.now() - lastTurn >= turnMs) {
      await setImmediate();
      lastTurn = performance.now();
    }
    return runStatement(sql, parameters);
  };
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(runInTurns) });
  const enqueue = createQueue();
  const run = async (name: OperationName, input: unknown) => {
    const operation = operations[name];
    if (operation.mode === "write" || name === "ping") requireInPlace();
    // A single statement reads one snapshot by itself.
    if (operation.mode === "read") return operation.run(db, input);
    // Otherwise a port whose next request is always there keeps the requests of the others waiting until the next sign of life.
    await setImmediate();
    lastTurn = performance.now();
    connection.exec(begin);
    const result = await operation.run(db, input);
    connection.exec("commit");
    return name === "reclaim" ? freePages(connection, input) || result : result;
  };
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // On some faults, a full disk for example, SQLite has already rolled the transaction back.
      if (connection.isTransaction) connection.exec("rollback");
      throw translateSqliteError(error);
    }
  };
  const engine: SqliteEngine = {
    run: (name, input) => enqueue(() => guarded(() => run(name, input))),
    execute: (sql, parameters) =>
      enqueue(() =>
        guarded(async () => {
          if (!isSelect(sql)) requireInPlace();
          return runStatement(sql, parameters);
        }),
      ),
    tryOut: (trial) =>
      enqueue(() =>
        guarded(async () => {
          requireInPlace();
          connection.exec(begin);
          const tried = runTrial(trial, runStatement);
          connection.exec(tried.isKept ? "commit" : "rollback");
          return tried;
        }),
      ),
    close: () => enqueue(async () => connection.close()),
  };
  return { db, engine };
}

function isSelect(sql: string): boolean {
  return sql.trimStart().slice(0, 6).toLowerCase() === "select";
}

/** Runs tasks one after the other; a task that fails does not stop the next one. */
function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
}

/** Free pages that are kept: an eighth of the file, and at least the bytes that a merge of a small project writes. */
const keptShare = 1 / 8;
const minKeptBytes = 16 << 20;

/**
 * Returns free pages to the file system; PostgreSQL's vacuum does this itself. Some pages are kept, because merges and
 * replacements need about as many pages as they free: returning those would move pages and make the file grow again.
 * True when more pages can be returned.
 */
function freePages(connection: DatabaseSync, input: unknown): boolean {
  const { maxPages } = input as { maxPages: number }; // The input of `reclaim`, the only caller.
  const read = (name: "freelist_count" | "page_count" | "page_size") =>
    (connection.prepare(`pragma ${name}`).get() as Record<string, number>)[name] ?? 0;
  const kept = Math.max(read("page_count") * keptShare, minKeptBytes / read("page_size"));
  const spare = Math.floor(read("freelist_count") - kept);
  const pages = Math.min(Math.floor(maxPages), spare);
  if (pages < 1) return false;
  connection.exec(`pragma incremental_vacuum(${pages})`);
  return spare > pages;
}
