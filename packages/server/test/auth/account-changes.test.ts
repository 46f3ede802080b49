/** A change of an account is made whole or not at all, whichever of its statements fails. */
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { type TestContext, test } from "node:test";
import { type Kysely, sql } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { Schema } from "../../src/adapters/database/schema.ts";
import { type Cut, startCountingProxy } from "../support/counting-proxy.ts";
import { usePostgres } from "../support/postgres.ts";
import {
  type Answer,
  browser,
  countHashing,
  openDatabase,
  password,
  post,
  publicOrigin,
  startService,
  startWithOwner,
  type TestDatabase,
  tokenOf,
} from "./support.ts";

const postgres = usePostgres();
const email = "owner@example.com";
const newPassword = "a brand new phrase";
const newEmail = "other@example.com";

async function readRows(db: Kysely<Schema>) {
  const read = async (columns: string, table: string) =>
    (
      await sql<Record<string, unknown>>`select ${sql.raw(columns)} from ${sql.id(table)} order by 1`.execute(
        db,
      )
    ).rows;
  return {
    users: await read("id, email", "user"),
    passwords: await read("password", "account"),
    sessions: await read("id", "session"),
    links: await read("id", "verification"),
    keys: await read("id", "apikey"),
  };
}

type Rows = Awaited<ReturnType<typeof readRows>>;
type Service = Awaited<ReturnType<typeof startWithOwner>>;

/** What a change of this number sets, of several one after the other. */
const phraseOf = (number: number) => (number === 0 ? password : `a brand new phrase ${number}`);
const emailOf = (number: number) => (number === 0 ? email : `owner${number}@example.com`);

interface Kind {
  /** Returns what sends the request. */
  prepare(service: Service, number: number): Promise<() => Promise<Answer>>;
  isWhole(rows: Rows, before: Rows, number: number): boolean;
}

const hasPassword = ({ passwords }: Rows, text: string) =>
  passwords.some((row) => row["password"] === `counted ${text}`);
const hasEmail = ({ users }: Rows, address: string) => users.some((row) => row["email"] === address);
const keepsSession = ({ sessions }: Rows, before: Rows) =>
  sessions.some(({ id }) => before.sessions.some((session) => session["id"] === id));
const signIn = ({ app }: Pick<Service, "app">, body: { email: string; password: string }) =>
  post(app, "/api/auth/sign-in/email", body, { origin: publicOrigin });

const kinds: Readonly<Record<string, Kind>> = {
  "a change of a password": {
    async prepare(service, number) {
      const currentPassword = phraseOf(number - 1);
      await signIn(service, { email, password: currentPassword });
      const { cookies } = await signIn(service, { email, password: currentPassword });
      const body = { currentPassword, newPassword: phraseOf(number) };
      return () => post(service.app, "/api/auth/change-password", body, browser(cookies));
    },
    isWhole: (rows, before, number) =>
      hasPassword(rows, phraseOf(number)) &&
      !hasPassword(rows, phraseOf(number - 1)) &&
      rows.sessions.length === 1 &&
      !keepsSession(rows, before),
  },
  "the use of a reset link": {
    async prepare({ app, setUp }, number) {
      const token = tokenOf(await setUp.resetLink({ email: null }));
      await setUp.resetLink({ email: null });
      const body = { token, email: emailOf(number), password: phraseOf(number) };
      return () => post(app, "/api/auth/set-up", body, { origin: publicOrigin });
    },
    isWhole: (rows, before, number) =>
      hasPassword(rows, phraseOf(number)) &&
      hasEmail(rows, emailOf(number)) &&
      !hasPassword(rows, phraseOf(number - 1)) &&
      rows.links.length === 0 &&
      !keepsSession(rows, before),
  },
  "a sign-up": {
    async prepare({ app }, number) {
      const body = { email: emailOf(number), password: phraseOf(number), name: "New" };
      return () => post(app, "/api/auth/sign-up/email", body, { origin: publicOrigin });
    },
    isWhole: (rows, _before, number) =>
      hasPassword(rows, phraseOf(number)) && hasEmail(rows, emailOf(number)),
  },
  "a sign-in": {
    async prepare(service) {
      await signIn(service, { email, password });
      return () => signIn(service, { email, password });
    },
    isWhole: (rows, before) => rows.sessions.length === before.sessions.length + 1,
  },
  "a new key": {
    async prepare({ app, session }) {
      return () => post(app, "/api/auth/api-key/create", { name: "New" }, session);
    },
    isWhole: (rows, before) => rows.keys.length === before.keys.length + 1,
  },
};

interface Faults {
  /** Not through what fails. */
  readonly db: Kysely<Schema>;
  /** Fails the statement after `left` others. */
  set(left: number): void;
  /** Whether that statement has not come. */
  stop(): boolean;
}

/** Sends the request again and again, each time with a fault one statement later, until it has no more statements. */
async function failEach(service: Service, kind: Kind, { db, set, stop }: Faults): Promise<void> {
  let number = 1;
  let request = await kind.prepare(service, number);
  let before = await readRows(db);
  let undone = 0;
  for (let left = 0; ; left++) {
    // Failed tries are forgotten.
    service.clock.now += 10 * 60_000;
    set(left);
    const { status, body } = await request();
    const hasEnded = stop();
    const rows = await readRows(db);
    if (kind.isWhole(rows, before, number)) {
      if (hasEnded) break;
      assert.doesNotMatch(JSON.stringify(body), /Nothing was changed/, `after a fault at statement ${left}`);
      request = await kind.prepare(service, ++number);
      before = await readRows(db);
      continue;
    }
    assert.deepEqual(rows, before, `after a fault at statement ${left}`);
    assert.equal(status, 503, `after a fault at statement ${left}`);
    undone++;
  }
  assert.ok(undone >= 3, `${undone} faults undid it`);
}

async function openPostgres(context: TestContext, databaseUrl: string): Promise<TestDatabase> {
  const { store, authDatabase } = await openStore({ databaseUrl, dataDir: "" });
  context.after(() => store.close());
  const accounts = authDatabase();
  const db = accounts.db as unknown as Kysely<Schema>; // The same tables.
  return {
    ...{ accounts, db, store },
    statements: [],
    fault: { before: null, left: null },
    outage: { error: null },
  };
}

const options = () => ({ signUp: "open", hashing: countHashing() }) as const;

for (const [name, kind] of Object.entries(kinds)) {
  test(`${name} is made whole or not at all on SQLite, whichever statement fails`, async () => {
    const service = await startWithOwner(options());
    const { db, fault } = service;
    const set = (left: number) => {
      fault.left = left;
    };
    const stop = () => {
      const isWaiting = fault.left !== null;
      fault.left = null;
      return isWaiting;
    };
    await failEach(service, kind, { db, set, stop });
  });

  for (const cut of ["before", "after"] satisfies Cut[]) {
    test(`${name} is made whole or not at all on PostgreSQL, whichever statement loses its connection ${cut} it runs`, async (context) => {
      const databaseUrl = await postgres.create();
      const proxy = await startCountingProxy(databaseUrl);
      context.after(() => proxy.close());
      const service = await startWithOwner({
        ...options(),
        database: await openPostgres(context, proxy.url),
      });
      const { db } = await openPostgres(context, databaseUrl);
      const set = (left: number) => proxy.cutAt(left, cut);
      await failEach(service, kind, { db, set, stop: proxy.stopWaiting });
    });
  }
}

test("a refused statement of a change undoes those before it, also where the connection goes on", async (context) => {
  const database = await openPostgres(context, await postgres.create());
  const service = await startWithOwner({ ...options(), database });
  const change = () =>
    post(
      service.app,
      "/api/auth/change-password",
      { currentPassword: password, newPassword },
      service.session,
    );
  const before = await readRows(database.db);
  // A lock that is not given up, and a deadlock.
  for (const code of ["55P03", "40P01"]) {
    await sql`create or replace function refuse() returns trigger language plpgsql as
      ${sql.raw(`$$ begin raise exception 'locked' using errcode = '${code}'; end $$`)}`.execute(database.db);
    await sql`create or replace trigger refuse before insert on session execute function refuse()`.execute(
      database.db,
    );
    const refused = await change();
    assert.equal(refused.status, 503, code);
    assert.match(refused.body.detail, /Try again in a few seconds/);
    assert.deepEqual(await readRows(database.db), before);
  }
  await sql`drop trigger refuse on session`.execute(database.db);
  assert.equal((await change()).status, 200);
});

test("a sign-up that the database refuses is not told as a fault of what was sent", async (context) => {
  const database = await openPostgres(context, await postgres.create());
  const service = await startWithOwner({ ...options(), database });
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'full' using errcode = '53100'; end $$`.execute(database.db);
  await sql`create trigger refuse before insert on "user" execute function refuse()`.execute(database.db);
  const body = { email: newEmail, password: newPassword, name: "New" };
  const refused = await post(service.app, "/api/auth/sign-up/email", body, { origin: publicOrigin });
  assert.equal(refused.status, 503);
});

test("on SQLite a change of which another statement took a part is refused and undone", async () => {
  const service = await startService(options());
  await service.setUp.start({ bootstrapApiKey: null });
  const before = await readRows(service.db);
  const { change, db } = service.accounts;
  const outside = AsyncLocalStorage.snapshot();
  const taken = sql`delete from verification returning id`;
  const twice = change({ accountId: null }, async () => {
    const { rows } = await taken.execute(db);
    assert.equal(rows.length, 1);
    await outside(() => taken.execute(db));
  });
  await assert.rejects(twice, /at the same time. Nothing was changed; try again/);
  assert.deepEqual(await readRows(service.db), { ...before, links: [] });
});

test("changes of one account at once in two processes do not wait for each other's rows, and one of them is made", async (context) => {
  const databaseUrl = await postgres.create();
  const first = await startWithOwner({ ...options(), database: await openPostgres(context, databaseUrl) });
  const second = await startService({ ...options(), database: await openPostgres(context, databaseUrl) });
  for (let round = 0; round < 10; round++) {
    const phrase = (of: string) => `phrase ${round} ${of}`;
    const signIn = await post(first.app, "/api/auth/sign-in/email", {
      email,
      password: round === 0 ? password : `phrase ${round - 1} last`,
    });
    const links = [
      await first.setUp.resetLink({ email: null }),
      await first.setUp.resetLink({ email: null }),
    ];
    first.clock.now += 10 * 60_000;
    second.clock.now = first.clock.now;
    const used = links.map((link, at) =>
      post(
        at === 0 ? first.app : second.app,
        "/api/auth/set-up",
        { token: tokenOf(link), email: at === 0 ? email : newEmail, password: phrase(`link ${at}`) },
        { origin: publicOrigin },
      ),
    );
    const current = round === 0 ? password : `phrase ${round - 1} last`;
    const changed = post(
      second.app,
      "/api/auth/change-password",
      { currentPassword: current, newPassword: phrase("change") },
      browser(signIn.cookies),
    );
    const statuses = (await Promise.all(used)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 400], "one link");
    assert.ok([200, 400, 401].includes((await changed).status), String((await changed).status));
    const last = await first.setUp.resetLink({ email: null });
    const body = { token: tokenOf(last), email, password: phrase("last") };
    assert.equal((await post(first.app, "/api/auth/set-up", body, { origin: publicOrigin })).status, 200);
  }
});

test("no connection is held while passwords are hashed: fifty sign-ups at once leave the others their connections", async (context) => {
  const hashing = countHashing();
  const meeting = { waiting: 0, all: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() };
  const meet = async () => {
    if (++meeting.waiting === 51) meeting.all.resolve();
    await meeting.go.promise;
  };
  let isMeeting = false;
  const slow = {
    async hash(text: string) {
      if (isMeeting) await meet();
      return hashing.hash(text);
    },
    verify: hashing.verify,
  };
  const databaseUrl = await postgres.create();
  const database = await openPostgres(context, databaseUrl);
  const { app, auth, session, firstKey } = await startWithOwner({ signUp: "open", hashing: slow, database });
  // Old enough to be renewed at its next use.
  await sql`update session set "expiresAt" = now() + interval '2 days'`.execute(database.db);
  isMeeting = true;
  const changed = post(app, "/api/auth/change-password", { currentPassword: password, newPassword }, session);
  const signUps = Array.from({ length: 50 }, (_, at) =>
    app.inject({
      method: "POST",
      url: "/api/auth/sign-up/email",
      remoteAddress: `192.0.2.${at}`,
      payload: { email: `new${at}@example.com`, password: newPassword, name: "New" },
    }),
  );
  await meeting.all.promise;
  const other = await openPostgres(context, databaseUrl);
  const held = await sql`select state, query from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(other.db);
  assert.deepEqual(held.rows, []);
  assert.ok((await auth.authenticator.authenticateKey(firstKey)) !== null);
  await database.store.writeSetting({ name: "a", value: "b", onlyIfAbsent: false });
  meeting.go.resolve();
  assert.equal((await changed).status, 200);
  const write = database.store.writeSetting({ name: "a", value: "c", onlyIfAbsent: false });
  assert.equal(await write, "c");
  for (const { statusCode } of await Promise.all(signUps)) assert.equal(statusCode, 200);
});

test("a sign-in with the password before a change begins no session after it, wherever in the sign-in the change comes", async (context) => {
  const urls = { sqlite: null, postgres: await postgres.create() };
  for (const [name, url] of Object.entries(urls)) {
    const hashing = countHashing();
    let whenChecked: (() => Promise<unknown>) | null = null;
    const interrupted = {
      hash: hashing.hash,
      async verify(input: { hash: string; password: string }) {
        const isRight = await hashing.verify(input);
        const then = whenChecked;
        whenChecked = null;
        await then?.();
        return isRight;
      },
    };
    const database = url === null ? openDatabase() : await openPostgres(context, url);
    const service = await startWithOwner({ hashing: interrupted, database });
    const { app, session } = service;
    const outside = AsyncLocalStorage.snapshot();
    const body = { currentPassword: password, newPassword };
    whenChecked = () =>
      outside(async () => {
        const changed = await post(app, "/api/auth/change-password", body, session);
        assert.equal(changed.status, 200, name);
      });
    const { status, cookies } = await signIn(service, { email, password });
    assert.equal(status, 401, name);
    assert.ok(!cookies.some((cookie) => /session_token=[^;]/.test(cookie)), name);
    assert.equal((await readRows(database.db)).sessions.length, 1, `${name}: that of the change`);
    service.clock.now += 10 * 60_000;
    assert.equal((await signIn(service, { email, password: newPassword })).status, 200, name);
  }
});
