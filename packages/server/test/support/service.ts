/** The whole service in this process, on a port and a database of its own. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { fileURLToPath } from "node:url";
import { closeAtEnd } from "../../../../scripts/test/lane-end.ts";
import { composeService } from "../../src/compose.ts";
import { loadConfig } from "../../src/config.ts";
import type { LogFields } from "../../src/ports/log.ts";
import { citusUrl, createCitus, dropCitus } from "./citus.ts";
import { type Client, createClient } from "./http-client.ts";
import { type Databases, usePostgres } from "./postgres.ts";

export type DatabaseName = "sqlite" | "postgres" | "citus";
const databases: readonly DatabaseName[] = [
  "sqlite",
  "postgres",
  ...(citusUrl === null ? [] : ["citus" as const]),
];
/** The database that most suites run on: SQLite in the gate, PostgreSQL in the long run. */
const databaseOfRun = databases.find((name) => name === process.env["KCS_TEST_DATABASE"]) ?? "sqlite";
type Environment = Readonly<Record<string, string>>;

export interface LogEntry extends LogFields {
  readonly level: "warn" | "error";
  readonly event: string;
}

/** Where a service keeps everything; outlives a stop when the next start is given it. */
export interface Home {
  readonly dataDir: string;
  /** "" = the embedded database. */
  readonly databaseUrl: string;
  readonly ownerKey: string;
  remove(): Promise<void>;
}

export interface TestService {
  readonly baseUrl: string;
  readonly home: Home;
  readonly owner: Client;
  /** Another account of the same service, created by its first request. */
  readonly stranger: Client;
  readonly nobody: Client;
  /** What the service printed on its first start. */
  readonly printed: string;
  /** Warnings and errors since the start, oldest first. */
  readonly logged: readonly LogEntry[];
  stop(): Promise<void>;
}

/** Defaults of every test: two accounts, no rate limit, one thread of each kind. */
const DEFAULTS: Environment = {
  KCS_PORT: "0",
  KCS_SIGN_UP: "open",
  KCS_INGEST_PER_MINUTE: "0",
  KCS_INGEST_THREADS: "1",
  KCS_QUERY_THREADS: "1",
  KCS_LOG_LEVEL: "error",
  KCS_DRAIN_SECONDS: "0",
};

/** The database that a suite runs on this time. */
export interface Setting {
  readonly database: DatabaseName;
  /** A place for one more service, with nothing in it yet. */
  createHome(): Promise<Home>;
}

/** Runs a suite on the database of this run. Call it at the top of a test file, once. */
export function describeOnEach(suite: (setting: Setting) => void): void {
  const setting = useDatabase();
  describe(`on ${setting.database}`, () => suite(setting));
}

/** Runs a suite on SQLite, on PostgreSQL and, where `CITUS_URL` is given, on Citus, also in the gate. Call it at the top of a test file, once. */
export function describeOnBoth(suite: (setting: Setting) => void): void {
  for (const setting of bothDatabases()) describe(`on ${setting.database}`, () => suite(setting));
}

/** Every database that the service runs on. Call it at the top of a test file, once. */
export function bothDatabases(): readonly Setting[] {
  return databases.map(createSetting(usePostgres()));
}

/** The database of this run. Call it at the top of a test file, once. */
export function useDatabase(): Setting {
  return databaseOfRun === "sqlite" ? sqlite : createSetting(usePostgres())(databaseOfRun);
}

/** For suites that say nothing about the database. */
export const sqlite: Setting = { database: "sqlite", createHome: () => createHome("") };

/** For suites about what PostgreSQL alone can do. */
export const postgresOf = (postgres: Databases): Setting => createSetting(postgres)("postgres");

function createSetting(postgres: Databases): (database: DatabaseName) => Setting {
  const urlOf = { sqlite: async () => "", postgres: postgres.create, citus: () => createCitus() };
  return (database) => ({
    database,
    async createHome() {
      const home = await createHome(await urlOf[database]());
      if (database !== "citus") return home;
      return { ...home, remove: () => home.remove().then(() => dropCitus(home.databaseUrl)) };
    },
  });
}

/**
 * One service for all tests of the surrounding `describe`; use what this returns inside tests only. Without settings of
 * its own, it is the service of this process, with accounts that other files use as well.
 */
export function useService(setting: Setting, env?: Environment): () => TestService {
  if (env !== undefined) return useRestarts(setting, env).use;
  let running: TestService | null = null;
  before(async () => {
    running = await sharedService(setting);
  });
  return () => {
    assert.ok(running, "The service is not running yet.");
    return running;
  };
}

export interface Restarts {
  use(): TestService;
  /** Starts it again in the same home, with these settings only. */
  restart(env?: Environment): Promise<TestService>;
  stop(): Promise<void>;
}

/** A service for the tests of the surrounding `describe`, which stop it or start it again. */
export function useRestarts(setting: Setting, env: Environment): Restarts {
  let home: Home | null = null;
  let running: TestService | null = null;
  const start = async (env: Environment = {}) => {
    home ??= await setting.createHome();
    running = await startTestService({ home, env });
    return running;
  };
  const stop = async () => {
    await running?.stop();
    running = null;
  };
  before(() => start(env));
  after(async () => {
    await stop();
    await home?.remove();
  });
  return {
    use() {
      assert.ok(running, "The service is not running.");
      return running;
    },
    async restart(env) {
      await stop();
      return start(env);
    },
    stop,
  };
}

async function startOwnService(setting: Setting, env: Environment): Promise<TestService> {
  return startTestService({ home: await setting.createHome(), env });
}

const sharedServices = new Map<DatabaseName, Promise<TestService>>();

/** Started by the first file of this process that needs it, stopped after the last. */
function sharedService(setting: Setting): Promise<TestService> {
  const known = sharedServices.get(setting.database);
  if (known !== undefined) return known;
  const started = startOwnService(setting, {});
  sharedServices.set(setting.database, started);
  closeAtEnd(async () => {
    sharedServices.delete(setting.database);
    const service = await started;
    await service.stop();
    await service.home.remove();
  });
  return started;
}

/** A home for as long as `run` needs it. */
export async function withHome(setting: Setting, run: (home: Home) => Promise<void>): Promise<void> {
  const home = await setting.createHome();
  try {
    await run(home);
  } finally {
    await home.remove();
  }
}

/** A service for as long as `run` needs it; its home stays. */
export async function withService<T>(
  input: { home: Home; env?: Environment },
  run: (service: TestService) => Promise<T>,
): Promise<T> {
  const service = await startTestService(input);
  try {
    return await run(service);
  } finally {
    await service.stop();
  }
}

/** The built model is the same for every service: homes share it, so that only the first start builds it. */
const MODEL_CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/kcs-models", import.meta.url));

/** On this database; "" = the embedded one. */
export async function createHome(databaseUrl: string): Promise<Home> {
  const dataDir = await mkdtemp(join(tmpdir(), "kcs-http-"));
  await mkdir(MODEL_CACHE, { recursive: true });
  await symlink(MODEL_CACHE, join(dataDir, "models"), "junction");
  return {
    dataDir,
    databaseUrl,
    ownerKey: `kcs_${randomBytes(24).toString("hex")}`,
    remove: () => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The environment of a service in this home. */
export function environmentOf(home: Home, env: Environment = {}): Environment {
  return {
    ...DEFAULTS,
    KCS_DATA_DIR: home.dataDir,
    DATABASE_URL: home.databaseUrl,
    KCS_BOOTSTRAP_API_KEY: home.ownerKey,
    ...env,
  };
}

export async function startTestService(input: { home: Home; env?: Environment }): Promise<TestService> {
  const { home } = input;
  const config = loadConfig(environmentOf(home, input.env));
  const logged: LogEntry[] = [];
  const record =
    (level: LogEntry["level"]) =>
    (event: string, fields: LogFields = {}) =>
      void logged.push({ level, event, ...fields });
  const ignore = () => undefined;
  let printed = "";
  const service = await composeService(config, {
    log: { debug: ignore, info: ignore, warn: record("warn"), error: record("error") },
    print: (text) => {
      printed += text;
    },
  });
  const baseUrl = `http://${config.host}:${service.port}`;
  const nobody = createClient(baseUrl, "");
  const owner = createClient(baseUrl, home.ownerKey);
  const stranger = createClient(baseUrl, () => signUp(nobody, service.baseUrl));
  return {
    baseUrl,
    home,
    owner,
    stranger,
    nobody,
    printed,
    logged,
    async stop() {
      for (const client of [owner, stranger, nobody]) client.close();
      await service.stop();
    },
  };
}

/** A client of a new account, which has nothing yet; whoever asks for it closes it. */
export async function createNewcomer({ baseUrl, nobody }: TestService): Promise<Client> {
  return createClient(baseUrl, await signUp(nobody, baseUrl));
}

/** A new account; its key. */
export async function signUp(nobody: Client, publicUrl: string): Promise<string> {
  return (await createAccount(nobody, publicUrl)).key;
}

/** The cookies of a session of a new account. */
export async function startSession(nobody: Client, origin: string): Promise<string> {
  const credentials = {
    email: `${randomBytes(8).toString("hex")}@mail.example`,
    password: "a long enough phrase",
  };
  const headers = { origin };
  const signedUp = await nobody.root("POST", "/api/auth/sign-up/email", { headers, body: credentials });
  assert.equal(signedUp.status, 200, signedUp.text);
  const signedIn = await nobody.root("POST", "/api/auth/sign-in/email", { headers, body: credentials });
  assert.equal(signedIn.status, 200, signedIn.text);
  return (signedIn.headers["set-cookie"] ?? []).map((set) => set.split(";")[0]).join("; ");
}

/** A new account through the accounts library's own endpoints, with a key that can be revoked. */
export async function createAccount(
  nobody: Client,
  publicUrl: string,
): Promise<{ readonly key: string; revokeKey(): Promise<void> }> {
  const origin = new URL(publicUrl).origin;
  const cookie = await startSession(nobody, origin);
  const created = await nobody.root("POST", "/api/auth/api-key/create", {
    headers: { origin, cookie },
    body: { name: "test" },
  });
  assert.equal(created.status, 200, created.text);
  const { key, id } = created.json as { key?: unknown; id?: unknown }; // Looked at before use.
  assert.ok(typeof key === "string" && typeof id === "string");
  return {
    key,
    async revokeKey() {
      const headers = { origin, cookie };
      const gone = await nobody.root("POST", "/api/auth/api-key/delete", { headers, body: { keyId: id } });
      assert.equal(gone.status, 200, gone.text);
    },
  };
}
