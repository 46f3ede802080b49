/** The auth edge as the service mounts it, over a real SQLite database in memory whose statements are counted. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import Fastify, { type FastifyInstance, type InjectOptions } from "fastify";
import { Kysely } from "kysely";
import { type Auth, createAuth } from "../../src/adapters/auth/auth.ts";
import type { PasswordHashing } from "../../src/adapters/auth/password-hashing.ts";
import { createAccountChanges } from "../../src/adapters/database/account-changes.ts";
import {
  findApiKey,
  readSetting,
  touchApiKeys,
  writeSetting,
} from "../../src/adapters/database/operations/accounts.ts";
import { translatePostgresError } from "../../src/adapters/database/postgres-errors.ts";
import type { Schema } from "../../src/adapters/database/schema.ts";
import { createSqliteTransact } from "../../src/adapters/database/sqlite-changes.ts";
import { createSqliteDialect } from "../../src/adapters/database/sqlite-dialect.ts";
import { createEngine } from "../../src/adapters/database/sqlite-engine.ts";
import { createBoundedLog } from "../../src/bounded-log.ts";
import { createAuthenticate } from "../../src/http/authenticate.ts";
import { createClientAddress } from "../../src/http/client-address.ts";
import { createErrorHandler } from "../../src/http/errors.ts";
import { addRequestTurns } from "../../src/http/request-turns.ts";
import { addAuthRoutes } from "../../src/http/routes/auth.ts";
import { addSetUpRoutes } from "../../src/http/routes/set-up.ts";
import { addUnmatchedRequests } from "../../src/http/unmatched-requests.ts";
import type { AccountDatabase } from "../../src/ports/account-changes.ts";
import type { Log } from "../../src/ports/log.ts";
import type { AccountStore } from "../../src/ports/store.ts";
import { createSetUp, type SetUp } from "../../src/services/set-up.ts";

export const publicOrigin = "http://service.test";
export const password = "correct horse battery";

type TestStore = Pick<AccountStore, "findApiKey" | "touchApiKeys" | "readSetting" | "writeSetting">;

export interface TestDatabase {
  readonly accounts: AccountDatabase<Kysely<unknown>>;
  readonly db: Kysely<Schema>;
  readonly store: TestStore;
  /** Every statement so far, as SQL. */
  readonly statements: string[];
  /** The next statement that matches fails, once, and so does the one after `left` others, the end of a change included. */
  readonly fault: { before: RegExp | null; left: number | null };
  /** While it is set, every statement fails with it, as PostgreSQL's driver does. */
  readonly outage: { error: Error | null };
}

export interface TestService extends TestDatabase {
  readonly app: FastifyInstance;
  readonly auth: Auth;
  readonly setUp: SetUp;
  readonly logged: string[];
  readonly clock: { now: number };
}

export function openDatabase(): TestDatabase {
  const connection = new DatabaseSync(":memory:");
  connection.exec("create table settings (name text not null primary key, value text not null) strict");
  const { engine } = createEngine(connection, "begin immediate");
  const statements: string[] = [];
  const fault: TestDatabase["fault"] = { before: null, left: null };
  const outage: { error: Error | null } = { error: null };
  const send = (sql: string) => {
    if (outage.error !== null) throw outage.error;
    if (fault.before?.test(sql)) {
      fault.before = null;
      throw new Error("killed");
    }
    if (fault.left === null || fault.left-- > 0) return;
    fault.left = null;
    throw Object.assign(new Error("canceling statement"), { code: "57014" });
  };
  const transact = createSqliteTransact(async (trial) => {
    const sent = trial.expected === null ? (trial.statements.at(-1)?.sql ?? "") : "commit";
    if (sent !== "commit") statements.push(sent);
    send(sent);
    return engine.tryOut(trial);
  });
  const { change, route } = createAccountChanges(transact);
  const dialect = createSqliteDialect(async ({ sql, parameters }) => {
    statements.push(sql);
    send(sql);
    return engine.execute(sql, parameters);
  });
  const db = new Kysely<Schema>({ dialect: route(dialect) });
  const accounts: TestDatabase["accounts"] = {
    // The library sees the same connection with its own tables.
    db: db as unknown as Kysely<unknown>,
    type: "sqlite",
    change,
    translateError: translatePostgresError,
  };
  const store: TestStore = {
    findApiKey: (input) => findApiKey(db, input),
    touchApiKeys: (input) => touchApiKeys(db, input),
    readSetting: (input) => readSetting(db, input),
    writeSetting: (input) => writeSetting(db, input),
  };
  return { accounts, db, store, statements, fault, outage };
}

export interface ServiceOptions {
  readonly database?: TestDatabase;
  readonly publicUrl?: string;
  readonly signUp?: "open" | "closed";
  readonly trustedProxies?: readonly string[];
  /** The library's scrypt when omitted. */
  readonly hashing?: PasswordHashing;
}

/** Costs no time, for tests with many passwords. */
export function countHashing(): PasswordHashing & { calls: number } {
  const hashing = {
    calls: 0,
    async hash(text: string) {
      hashing.calls++;
      return `counted ${text}`;
    },
    async verify(input: { hash: string; password: string }) {
      hashing.calls++;
      return input.hash === `counted ${input.password}`;
    },
  };
  return hashing;
}

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? openDatabase();
  const { publicUrl = publicOrigin, signUp = "closed" } = options;
  const logged: string[] = [];
  const write = (event: string, fields?: unknown) => void logged.push(`${event} ${JSON.stringify(fields)}`);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const clock = { now: Date.now() };
  const auth = await createAuth({
    database: database.accounts,
    store: database.store,
    publicUrl,
    secret: "a secret of the tests, 40 characters long",
    signUpOpen: signUp === "open",
    log,
    now: () => clock.now,
    ...(options.hashing && { hashing: options.hashing }),
  });
  const setUp = createSetUp({ accounts: auth.accounts, store: database.store, publicUrl });
  const app = await createTestApp({ auth, setUp, log, options: { ...options, publicUrl, signUp } });
  return { ...database, app, auth, setUp, logged, clock };
}

async function createTestApp(parts: {
  auth: Auth;
  setUp: SetUp;
  log: Log;
  options: ServiceOptions & { publicUrl: string; signUp: "open" | "closed" };
}): Promise<FastifyInstance> {
  const { auth, setUp, log, options } = parts;
  const app = Fastify();
  app.decorateRequest("caller", null);
  addRequestTurns(app);
  app.setErrorHandler(createErrorHandler(createBoundedLog(log)));
  const deps = {
    endpoints: auth.endpoints,
    publicOrigin: new URL(options.publicUrl).origin,
    signUp: options.signUp,
    clientAddress: createClientAddress(options.trustedProxies ?? []),
    setUp,
  };
  addUnmatchedRequests(app);
  addAuthRoutes(app, deps);
  addSetUpRoutes(app, deps);
  app.register((api, _options, done) => {
    api.addHook(
      "onRequest",
      createAuthenticate({ authenticator: auth.authenticator, publicOrigin: deps.publicOrigin }),
    );
    api.route({ method: ["GET", "POST"], url: "/api/v1/me", handler: async (request) => request.caller });
    done();
  });
  await app.ready();
  return app;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever JSON comes.
  readonly body: any;
  readonly cookies: readonly string[];
  readonly headers: Readonly<Record<string, unknown>>;
}

export async function send(app: FastifyInstance, request: InjectOptions): Promise<Answer> {
  const response = await app.inject(request);
  const cookies = [response.headers["set-cookie"] ?? []].flat();
  const isJson = String(response.headers["content-type"]).startsWith("application/json");
  const body: unknown = isJson ? response.json() : response.body;
  return { status: response.statusCode, body, cookies, headers: response.headers };
}

export function post(
  app: FastifyInstance,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const json = { "content-type": "application/json", ...headers };
  return send(app, { method: "POST", url: path, payload: JSON.stringify(body), headers: json });
}

// A type, not an interface: only then does it pass as a record of headers.
export type BrowserHeaders = {
  readonly cookie: string;
  readonly origin: string;
  readonly "sec-fetch-site": "same-origin";
};

/** Cookie and origin as a browser sends them from the service's own page. */
export function browser(cookies: readonly string[]): BrowserHeaders {
  const cookie = cookies.map((line) => line.split(";")[0]).join("; ");
  return { cookie, origin: publicOrigin, "sec-fetch-site": "same-origin" };
}

export function tokenOf(link: string | null): string {
  const token = link?.split("#token=")[1];
  assert.ok(token, "a link with a token");
  return token;
}

/** A started service whose owner has chosen e-mail and password and is signed in. */
export async function startWithOwner(options: ServiceOptions = {}) {
  const service = await startService(options);
  const started = await service.setUp.start({ bootstrapApiKey: null });
  const token = tokenOf(started.setUpLink);
  const body = { token, email: "owner@example.com", password };
  const answer = await post(service.app, "/api/auth/set-up", body, { origin: publicOrigin });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const firstKey = started.firstKey;
  assert.ok(firstKey !== null);
  return { ...service, started, firstKey, session: browser(answer.cookies) };
}

/** The SQL among `statements` that changes something. */
export function writesAmong(statements: readonly string[]): readonly string[] {
  return statements.filter((sql) => !/^\s*(select|pragma|with)/i.test(sql));
}
