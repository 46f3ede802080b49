/** What every command stands on: the data directory, the migrated database and the accounts in it. */
import type { Auth } from "./adapters/auth/auth.ts";
import { makeDataDirectory } from "./adapters/database/data-directory.ts";
import { type OpenedStore, openStore } from "./adapters/database/open-store.ts";
import type { CallTimes } from "./adapters/database/postgres-pool.ts";
import type { DatabaseThreads } from "./adapters/database/sqlite-store.ts";
import type { Config } from "./config.ts";
import type { ReadCurrentWork } from "./ports/current-work.ts";
import type { Log } from "./ports/log.ts";
import { hasSecret, newSecret, readOrCreateSecret, readSecret } from "./secrets.ts";
import { createSetUp, type SetUp } from "./services/set-up.ts";
import { readOrStoreSecret } from "./shared-secret.ts";

export interface OpenedDatabase {
  readonly opened: OpenedStore;
  /** Signs sessions. */
  readonly secret: string;
}

export interface OpenedAccounts {
  readonly auth: Auth;
  readonly setUp: SetUp;
}

/** Both parts. @throws DatabaseStartError and what `openAccounts` throws; then the database is closed */
export async function openFoundation(config: Config, log: Log): Promise<OpenedDatabase & OpenedAccounts> {
  const database = await openDatabase(config, log);
  try {
    return { ...database, ...(await openAccounts(config, database, log)) };
  } catch (error) {
    await database.opened.store.close();
    throw error;
  }
}

/** `shared`: of a process that serves. @throws DatabaseStartError; then the database is closed */
export async function openDatabase(
  config: Config,
  log: Log,
  shared: {
    readonly threads?: DatabaseThreads;
    readonly currentWork?: ReadCurrentWork;
    readonly times?: CallTimes | undefined;
  } = {},
): Promise<OpenedDatabase> {
  const { databaseUrl, dataDir, queryThreads } = config;
  const connections = { total: config.databaseConnections, queryThreads };
  makeDataDirectory(dataDir);
  const opened = await openStore({
    databaseUrl,
    dataDir,
    wasUsed: hasSecret(dataDir),
    connections,
    ...shared,
  });
  const { store } = opened;
  tellClock(store.now, log);
  try {
    // The embedded database is locked for this process, so every lease belongs to a dead one.
    if (opened.kind === "sqlite") await store.expireAllLeases({ now: Date.now() });
    return { opened, secret: config.secret ?? (await generatedSecret(opened, config)) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** @throws what `createAuth` throws */
export async function openAccounts(
  { publicUrl, signUp }: Pick<Config, "publicUrl" | "signUp">,
  { opened, secret }: OpenedDatabase,
  log: Log,
): Promise<OpenedAccounts> {
  const { createAuth } = await import("./adapters/auth/auth.ts");
  const { store } = opened;
  const database = opened.authDatabase();
  const auth = await createAuth({ store, database, publicUrl, secret, signUpOpen: signUp === "open", log });
  return { auth, setUp: createSetUp({ accounts: auth.accounts, store, publicUrl }) };
}

/** Leases, rates and retries are kept by the database's clock. What this machine shows differs from it in the log. */
function tellClock(now: () => number, log: Log): void {
  const seconds = Math.round((now() - Date.now()) / 1000);
  if (seconds !== 0) log.warn("clock_differs", { databaseAheadSeconds: seconds });
}

/** On PostgreSQL one for all processes. The secret of earlier releases, in the data directory, becomes that one, so that sessions hold. */
async function generatedSecret({ kind, store }: OpenedStore, config: Config): Promise<string> {
  const { dataDir, encryptionKey: key } = config;
  if (kind === "sqlite") return readOrCreateSecret(dataDir);
  const offered = hasSecret(dataDir) ? await readSecret(dataDir) : newSecret();
  return readOrStoreSecret(store, { offered, key });
}
