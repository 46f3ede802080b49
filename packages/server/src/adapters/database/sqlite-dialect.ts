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

/** Enough for every statement of the operations in each of its list sizes. */
const maxCachedStatements = 300;

/** Runs one statement synchronously. Returns its rows or the number of changed rows. */
export type StatementRunner = (sql: string, parameters: readonly unknown[]) => QueryResult<unknown>;

/** Omits row locks from the SQL: SQLite has one writer, whose transaction locks the whole database. */
class LocklessSqliteCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(): void {}
}

class SqliteConcurrentAdapter extends SqliteAdapter {
  // Prevents a queue in Kysely: statements are executed immediately here, or queued by the database thread.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * A Kysely dialect whose statements `execute` runs, in this thread or another one. It cannot open
 * transactions; the owner of the connection does that.
 */
export function createSqliteDialect(
  execute: (query: CompiledQuery) => Promise<QueryResult<unknown>>,
): Dialect {
  const connection: DatabaseConnection = {
    // Kysely has derived the type of the rows from the query.
    executeQuery: async <R>(query: CompiledQuery) => (await execute(query)) as QueryResult<R>,
    streamQuery: () => {
      throw new Error("Streaming is not supported on SQLite; select pages instead.");
    },
  };
  const refuse = async () => {
    throw new Error(
      "Transactions cannot be opened here: the connection's owner runs each operation in a transaction.",
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

/** A runner for a connection, with a bounded LRU cache of prepared statements. */
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

/** Converts booleans to 0 and 1 and dates to ISO text, the formats that better-auth uses on SQLite. */
function toSqliteValue(value: unknown): SQLInputValue {
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  return value as SQLInputValue; // node:sqlite throws for values that it cannot bind.
}
