import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { type Auth, createAuth } from "../../src/adapters/auth/auth.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { usePostgres } from "../support/postgres.ts";
import {
  browser,
  countHashing,
  openDatabase,
  password,
  post,
  publicOrigin,
  type ServiceOptions,
  send,
  startService,
  startWithOwner,
} from "./support.ts";

const email = "owner@example.com";
const postgres = usePostgres();

const startGuarded = (options: ServiceOptions = {}) =>
  startWithOwner({ hashing: countHashing(), ...options });

interface Try {
  readonly from: string;
  readonly password?: string;
  readonly email?: string;
  readonly cookie?: string;
}

/** Signs in with the right password, unless another one is given. */
function signIn(app: Parameters<typeof send>[0], tried: Try) {
  const body = { email: tried.email ?? email, password: tried.password ?? password };
  const cookie = tried.cookie === undefined ? {} : { cookie: tried.cookie, origin: publicOrigin };
  return send(app, {
    method: "POST",
    url: "/api/auth/sign-in/email",
    remoteAddress: tried.from,
    headers: { "content-type": "application/json", ...cookie },
    payload: JSON.stringify(body),
  });
}

/** Thirty wrong passwords at once, from three addresses or more. */
async function guess(app: Parameters<typeof send>[0], tried: Partial<Try> = {}) {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      signIn(app, { from: `203.0.113.${at % 15}`, password: `wrong guess ${at}`, ...tried }),
    ),
  );
  return answers.map(({ status }) => status);
}

const count = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length;

/** The cookie of a browser that has signed in, without its session. */
function knownBrowser(cookies: readonly string[]): string {
  const known = cookies.filter((cookie) => !cookie.includes("session_token"));
  assert.equal(known.length, 1);
  return browser(known).cookie;
}

test("wrong passwords for an account are limited over all addresses, with growing delays", async () => {
  const { app, clock } = await startGuarded();
  const statuses = await guess(app);
  assert.deepEqual([count(statuses, 401), count(statuses, 429)], [5, 25]);
  const delays: number[] = [];
  for (let round = 0; round < 4; round++) {
    const refused = await signIn(app, { from: `198.51.100.${round}`, password: "a wrong one" });
    assert.equal(refused.status, 429);
    assert.match(refused.body.detail, /^Too many attempts\. Try again in \d+ seconds\.$/);
    delays.push(Number(refused.headers["retry-after"]));
    clock.now += Number(refused.headers["retry-after"]) * 1000;
    const next = await signIn(app, { from: `198.51.100.${round}`, password: "a wrong one" });
    assert.equal(next.status, 401);
  }
  assert.deepEqual(delays, [1, 2, 4, 8]);
  clock.now += 3_600_000;
  assert.equal((await signIn(app, { from: "198.51.100.9" })).status, 200, "an hour later nothing is left");
});

test("an address without an account is limited in the same way", async () => {
  const { app } = await startGuarded();
  const statuses = await guess(app, { email: "nobody@example.com" });
  assert.deepEqual([count(statuses, 401), count(statuses, 429)], [5, 25]);
  assert.equal((await signIn(app, { from: "198.51.100.1" })).status, 200, "other accounts are not affected");
});

test("an address that signed in before is not locked out by strangers", async () => {
  const { app } = await startGuarded(); // The owner's link was used from 127.0.0.1.
  await guess(app);
  assert.equal((await signIn(app, { from: "198.51.100.1" })).status, 429);
  assert.equal((await signIn(app, { from: "127.0.0.1" })).status, 200);
  assert.equal((await signIn(app, { from: "127.0.0.1", email: "owner@EXAMPLE.com" })).status, 200);
});

test("a browser that signed in before is not locked out by strangers, also at a throttled address", async () => {
  const { app } = await startGuarded();
  const cookie = knownBrowser((await signIn(app, { from: "127.0.0.1" })).cookies);
  await guess(app);
  for (let i = 0; i < 15; i++) {
    await signIn(app, { from: "198.51.100.1", email: `somebody${i}@example.com` });
  }
  assert.equal((await signIn(app, { from: "198.51.100.1" })).status, 429);
  assert.equal((await signIn(app, { from: "198.51.100.1", cookie })).status, 200);
  const forged = cookie.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  assert.equal((await signIn(app, { from: "198.51.100.2", cookie: forged })).status, 429);
});

test("the cookie of a known browser is of use for its own account only, and no session", async () => {
  const { app } = await startGuarded({ signUp: "open" });
  const other = { email: "eve@example.com", password: "eve and her own phrase" };
  await post(app, "/api/auth/sign-up/email", other);
  const signedIn = await signIn(app, { from: "198.51.100.1", ...other });
  const cookie = knownBrowser(signedIn.cookies);
  for (const attribute of [/; HttpOnly/, /; SameSite=Lax/, /; Path=\/api\/auth(;|$)/]) {
    assert.match(signedIn.cookies.find((line) => !line.includes("session_token")) ?? "", attribute);
  }
  await guess(app);
  assert.equal((await signIn(app, { from: "198.51.100.2", cookie })).status, 429);
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  assert.equal((await send(app, { method: "GET", url: "/api/v1/me", headers })).status, 401);
});

test("guesses from a known browser are limited, too, and leave strangers their own limit", async () => {
  const { app } = await startGuarded();
  const cookie = knownBrowser((await signIn(app, { from: "127.0.0.1" })).cookies);
  // Five as a browser, five as an address, five as a stranger.
  const statuses = await guess(app, { from: "127.0.0.1", cookie });
  assert.deepEqual([count(statuses, 401), count(statuses, 429)], [15, 15]);
});

test("guesses at the current password of a session are limited", async () => {
  const { app, session } = await startGuarded();
  const body = { currentPassword: "a wrong guess", newPassword: "another long phrase" };
  const answers = await Promise.all(
    Array.from({ length: 9 }, () => post(app, "/api/auth/change-password", body, session)),
  );
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual([count(statuses, 400), count(statuses, 429)], [5, 4]);
});

test("right passwords are not counted", async () => {
  const { app } = await startGuarded();
  for (let i = 0; i < 7; i++) assert.equal((await signIn(app, { from: `198.51.100.${i}` })).status, 200);
});

test("a right password is followed by no delay", async () => {
  const { app, clock } = await startGuarded();
  await guess(app);
  const refused = await signIn(app, { from: "198.51.100.1" });
  assert.equal(refused.status, 429);
  clock.now += Number(refused.headers["retry-after"]) * 1000;
  for (const from of ["198.51.100.1", "198.51.100.2"])
    assert.equal((await signIn(app, { from })).status, 200);
});

test("the count outlives a restart and is shared by all processes on a database", async () => {
  const database = openDatabase();
  const { app, clock } = await startGuarded({ database });
  await guess(app);
  const other = await startService({ database, hashing: countHashing() });
  other.clock.now = clock.now;
  assert.equal(count(await guess(other.app), 429), 30);
});

test("processes on one PostgreSQL count together, however the guesses are interleaved", async (context) => {
  const databaseUrl = await postgres.create();
  const ignore = () => undefined;
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const now = () => 1_800_000_000_000;
  const processes: Auth[] = [];
  for (let i = 0; i < 2; i++) {
    const { store, authDatabase } = await openStore({ databaseUrl, dataDir: "" });
    context.after(() => store.close());
    const settings = {
      publicUrl: publicOrigin,
      secret: "s".repeat(40),
      signUpOpen: false,
      hashing: countHashing(),
    };
    processes.push(await createAuth({ ...settings, store, database: authDatabase(), log, now }));
  }
  const answers = await Promise.allSettled(
    Array.from({ length: 30 }, (_, at) => {
      const body = JSON.stringify({ email, password: "a wrong guess" });
      const headers = { "content-type": "application/json" };
      const url = `${publicOrigin}/api/auth/sign-in/email`;
      const request = new Request(url, { method: "POST", headers, body });
      return processes[at % 2]?.endpoints.handle(request, `203.0.113.${at}`);
    }),
  );
  const kinds = answers.map((answer) => (answer.status === "rejected" ? answer.reason.kind : "checked"));
  assert.equal(kinds.filter((kind) => kind === "checked").length, 5);
  assert.equal(kinds.filter((kind) => kind === "too_many_requests").length, 25);
});

test("guesses at ever new addresses fill a bounded number of rows without an address in them", async () => {
  const { app, db } = await startGuarded();
  for (let i = 0; i < 3; i++) {
    await signIn(app, { from: "198.51.100.1", email: `nobody${i}@example.com`, password: "a wrong one" });
  }
  const { rows } = await sql<{ id: string }>`select * from "signInFailure"`.execute(db);
  assert.ok(rows.length >= 1);
  for (const { id } of rows) assert.match(id, /^(browser|address|stranger)-\d{1,5}$/);
  assert.ok(!JSON.stringify(rows).includes("nobody"));
});
