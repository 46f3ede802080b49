/** Makes one transaction of the statements of a change of an account, which the accounts library sends one by one. */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
} from "kysely";
import type { ChangeAccount } from "../../ports/account-changes.ts";

export type ExecuteStatement = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

/** Runs `run` in a transaction that ends with it: it is kept when `run` resolves, and undone when it rejects. */
export type Transact = (
  accountId: string | null,
  run: (execute: ExecuteStatement) => Promise<void>,
) => Promise<void>;

interface AccountChanges {
  readonly change: ChangeAccount;
  /** The same dialect, but for the statements of a change. */
  route(dialect: Dialect): Dialect;
}

/** A change that is running. */
interface Change {
  readonly accountId: string | null;
  transaction: OpenTransaction | null;
  failure: { readonly error: unknown } | null;
  /** What is sent later is no part of it. */
  hasEnded: boolean;
}

interface OpenTransaction {
  readonly execute: ExecuteStatement;
  keep(): Promise<void>;
  undo(): Promise<void>;
}

export function createAccountChanges(transact: Transact): AccountChanges {
  const changes = new AsyncLocalStorage<Change>();

  async function send(change: Change, query: CompiledQuery, driver: Driver): Promise<QueryResult<unknown>> {
    if (change.transaction === null && SelectQueryNode.is(query.query)) return sendAlone(driver, query);
    change.transaction ??= openTransaction(transact, change.accountId);
    try {
      return await change.transaction.execute(query);
    } catch (error) {
      change.failure ??= { error };
      throw error;
    }
  }

  return {
    async change({ accountId, isMade = () => true }, work) {
      if (changes.getStore() !== undefined) return work();
      const change: Change = { accountId, transaction: null, failure: null, hasEnded: false };
      const result = await changes
        .run(change, work)
        .finally(() => {
          change.hasEnded = true;
        })
        .catch(async (error: unknown) => {
          await change.transaction?.undo();
          throw error;
        });
      const { transaction, failure } = change;
      if (failure === null && isMade(result)) await transaction?.keep();
      else await transaction?.undo();
      // The library may have answered as if nothing had failed.
      if (failure !== null && isMade(result)) throw failure.error;
      return result;
    },

    route: (dialect) => ({
      createDriver() {
        const driver = dialect.createDriver();
        return routeDriver(driver, () => {
          const change = changes.getStore();
          return change === undefined || change.hasEnded ? null : (query) => send(change, query, driver);
        });
      },
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
    }),
  };
}

async function sendAlone(driver: Driver, query: CompiledQuery): Promise<QueryResult<unknown>> {
  const connection = await driver.acquireConnection();
  try {
    return await connection.executeQuery(query);
  } finally {
    await driver.releaseConnection(connection);
  }
}

function openTransaction(transact: Transact, accountId: string | null): OpenTransaction {
  const begun = Promise.withResolvers<ExecuteStatement>();
  const end = Promise.withResolvers<void>();
  const ended = transact(accountId, (execute) => {
    begun.resolve(execute);
    return end.promise;
  });
  ended.catch(begun.reject);
  // Each is awaited below, or has no more to tell.
  for (const promise of [begun.promise, end.promise, ended]) promise.catch(() => undefined);
  return {
    execute: async (query) => (await begun.promise)(query),
    keep() {
      end.resolve();
      return ended;
    },
    undo() {
      end.reject(new Error("The change of the account is undone."));
      // A connection that cannot undo it any more is lost, and the transaction with it.
      return ended.catch(() => undefined);
    },
  };
}

/** A driver that gives a connection of its own to the statements of a change. */
function routeDriver(driver: Driver, findChange: () => ExecuteStatement | null): Driver {
  const own = new WeakSet<DatabaseConnection>();
  return {
    init: (options) => driver.init(options),
    async acquireConnection(options) {
      const execute = findChange();
      if (execute === null) return driver.acquireConnection(options);
      const connection = connectionOf(execute);
      own.add(connection);
      return connection;
    },
    async releaseConnection(connection, options) {
      if (!own.has(connection)) await driver.releaseConnection(connection, options);
    },
    beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
    commitTransaction: (connection) => driver.commitTransaction(connection),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
    destroy: (options) => driver.destroy(options),
  };
}

function connectionOf(execute: ExecuteStatement): DatabaseConnection {
  return {
    // Kysely has derived the type of the rows from the query.
    executeQuery: async <R>(query: CompiledQuery) => (await execute(query)) as QueryResult<R>,
    streamQuery: () => {
      throw new Error("The statements of a change do not stream; select pages instead.");
    },
  };
}
