import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

/** Enough for every statement of the operations, in their few sizes. */
const maxCachedStatements = 300;

/** Runs one statement at once and gives its rows or how many rows it changed. */
export type StatementRunner = (sql: string, parameters: readonly unknown[]) => QueryResult<unknown>;

/** SQLite has one writer, whose transaction locks everything: row locks are left out of the SQL. */
class LocklessSqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(): void {}
}

class SqliteConcurrentAdapter extends SqliteAdapter {
  // Kysely would otherwise queue statements behind each other; here they are run at once, or queued by the thread.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * A Kysely dialect whose statements are executed by `execute`, in this thread or another. It opens no
 * transactions: whoever owns the connection does.
 */
export function createSqliteDialect(
  execute: (query: CompiledQuery) => Promise<QueryResult<unknown>>,
): Dialect {
  const connection: DatabaseConnection = {
    // The cast only gives the rows the type that Kysely derived from the query.
    executeQuery: async <R>(query: CompiledQuery) => (await execute(query)) as QueryResult<R>,
    streamQuery: () => {
      throw new Error("Streaming is not supported on SQLite; select pages instead.");
    },
  };
  const refuse = async () => {
    throw new Error(
      "Transactions cannot be opened here; the connection's owner wraps each operation in one.",
    );
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new LocklessSqliteCompiler(),
    createAdapter: () => new SqliteConcurrentAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** A runner over a connection, with a bounded cache of prepared statements (least recently used goes). */
export function createStatementRunner(db: DatabaseSync): StatementRunner {
  const cache = new Map<string, { statement: StatementSync; reader: boolean }>();
  const prepare = (sql: string) => {
    const cached = cache.get(sql);
    if (cached !== undefined) {
      cache.delete(sql);
      cache.set(sql, cached);
      return cached;
    }
    const statement = db.prepare(sql);
    const entry = { statement, reader: statement.columns().length > 0 };
    cache.set(sql, entry);
    if (cache.size > maxCachedStatements) {
      const [oldest] = cache.keys();
      if (oldest !== undefined) cache.delete(oldest);
    }
    return entry;
  };
  return (sql, parameters) => {
    const { statement, reader } = prepare(sql);
    const values = parameters.map(toSqliteValue);
    if (reader) return { rows: statement.all(...values) };
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
  };
}

/** Booleans as 0 and 1, dates as ISO text: the forms in which better-auth keeps them on SQLite. */
function toSqliteValue(value: unknown): SQLInputValue {
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  return value as SQLInputValue; // node:sqlite itself refuses anything that it cannot bind.
}
