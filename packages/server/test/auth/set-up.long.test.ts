import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { createSetUp } from "../../src/services/set-up.ts";
import {
  browser,
  openDatabase,
  password,
  post,
  publicOrigin,
  send,
  startService,
  startWithOwner,
  tokenOf,
} from "./support.ts";

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const me = (service: { app: Parameters<typeof send>[0] }, headers: Record<string, string>) =>
  send(service.app, { method: "GET", url: "/api/v1/me", headers });
const useLink = (service: { app: Parameters<typeof send>[0] }, link: string | null, body: object = {}) =>
  post(
    service.app,
    "/api/auth/set-up",
    { token: tokenOf(link), email: "owner@example.com", password, ...body },
    { origin: publicOrigin },
  );

test("the first start gives a key and a link that lead to the same account", async () => {
  const service = await startService();
  const started = await service.setUp.start({ bootstrapApiKey: null });
  assert.ok(started.firstKey !== null);
  assert.match(started.setUpLink ?? "", /^http:\/\/service\.test\/set-up#token=[\w-]{43}$/);
  assert.equal((await me(service, bearer(started.firstKey))).body.accountId, started.ownerAccountId);
  const answer = await useLink(service, started.setUpLink);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal((await me(service, browser(answer.cookies))).body.accountId, started.ownerAccountId);
});

test("later starts keep owner and key, and print a new link until one was used", async () => {
  const database = openDatabase();
  const first = await (await startService({ database })).setUp.start({ bootstrapApiKey: null });
  const service = await startService({ database });
  const second = await service.setUp.start({ bootstrapApiKey: null });
  assert.equal(second.ownerAccountId, first.ownerAccountId);
  assert.equal(second.firstKey, null);
  assert.notEqual(second.setUpLink, first.setUpLink);
  assert.equal((await useLink(service, second.setUpLink)).status, 200);
  const third = await service.setUp.start({ bootstrapApiKey: null });
  assert.deepEqual(third, { ownerAccountId: first.ownerAccountId, firstKey: null, setUpLink: null });
  assert.equal((await useLink(service, first.setUpLink)).status, 400, "the first link went with the second");
});

test("before the link is used nobody can sign in, whatever the password", async () => {
  const service = await startService();
  await service.setUp.start({ bootstrapApiKey: null });
  const users = await sql<{ email: string }>`select email from "user"`.execute(service.db);
  const email = users.rows[0]?.email ?? "";
  assert.match(email, /@kcs\.invalid$/);
  const answer = await post(service.app, "/api/auth/sign-in/email", { email, password });
  assert.equal(answer.status, 400);
  const direct = await service.auth.endpoints.signIn({
    email,
    password,
    clientAddress: "192.0.2.1",
    userAgent: "",
  });
  assert.equal(direct.status, 401);
});

test("a link works once", async () => {
  const service = await startService();
  const { setUpLink } = await service.setUp.start({ bootstrapApiKey: null });
  assert.equal((await useLink(service, setUpLink)).status, 200);
  const again = await useLink(service, setUpLink, { password: "somebody else's" });
  assert.equal(again.status, 400);
  assert.match(again.body.detail, /already been used.*reset-link/);
  const credentials = { email: "owner@example.com", password };
  assert.equal((await post(service.app, "/api/auth/sign-in/email", credentials)).status, 200);
});

test("of several uses at once one wins", async () => {
  const service = await startService();
  const { setUpLink } = await service.setUp.start({ bootstrapApiKey: null });
  const emails = ["a@example.com", "b@example.com", "c@example.com", "d@example.com"];
  const answers = await Promise.all(emails.map((email) => useLink(service, setUpLink, { email })));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 400, 400, 400]);
  const accounts = await sql<{ n: number }>`select count(*) as n from account`.execute(service.db);
  assert.equal(accounts.rows[0]?.n, 1);
});

test("a link ends after an hour", async (context) => {
  const service = await startService();
  const { setUpLink } = await service.setUp.start({ bootstrapApiKey: null });
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() + 60 * 60 * 1000 + 1 });
  const late = await useLink(service, setUpLink);
  assert.equal(late.status, 400);
  assert.match(late.body.detail, /expired/);
});

test("what can be refused is refused before the link is used up", async () => {
  const service = await startWithOwner({ signUp: "open" });
  await post(service.app, "/api/auth/sign-up/email", { email: "other@example.com", password });
  const link = await service.setUp.resetLink({ email: null });
  const refusals = [
    { email: "not an address" },
    { email: "me@localhost" },
    { email: "me@kcs.invalid" },
    { email: "Other@example.com" },
    { password: "short" },
    { password: 7 },
    { extra: true },
  ];
  for (const refusal of refusals) {
    const answer = await useLink(service, link, refusal);
    assert.equal(answer.status, 400, JSON.stringify(refusal));
    assert.match(answer.body.detail, new RegExp(Object.keys(refusal)[0] ?? ""));
  }
  // PostgreSQL takes no text with NUL.
  const odd = await useLink(service, link, { token: "\0" });
  assert.deepEqual([odd.status, odd.body.detail], [400, "token: has a NUL character, expected none"]);
  assert.equal((await useLink(service, link)).status, 200);
});

test("the token is stored as a hash", async () => {
  const service = await startService();
  const { setUpLink } = await service.setUp.start({ bootstrapApiKey: null });
  const rows = await sql`select * from verification`.execute(service.db);
  assert.equal(rows.rows.length, 1);
  assert.ok(!JSON.stringify(rows.rows).includes(tokenOf(setUpLink)));
  const stored = (rows.rows[0] as { identifier: string }).identifier;
  const replayed = await post(service.app, "/api/auth/set-up", {
    token: stored,
    email: "a@example.com",
    password,
  });
  assert.equal(replayed.status, 400);
});

test("guessing links is throttled by address", async () => {
  const service = await startService();
  const { setUpLink } = await service.setUp.start({ bootstrapApiKey: null });
  for (let i = 0; i < 10; i++) {
    const body = { token: `guess${i}`, email: "a@example.com", password };
    const headers = { "x-forwarded-for": `192.0.2.${i}` };
    assert.equal((await post(service.app, "/api/auth/set-up", body, headers)).status, 400);
  }
  const refused = await useLink(service, setUpLink);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers["retry-after"]) > 0);
});

test("a reset link replaces a lost password, ends old sessions and leaves keys as they are", async () => {
  const service = await startWithOwner();
  const link = await service.setUp.resetLink({ email: null });
  assert.equal((await me(service, service.session)).status, 200);
  const answer = await useLink(service, link, {
    email: "owner@new.example",
    password: "the second password",
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal((await me(service, service.session)).status, 401);
  assert.equal((await me(service, browser(answer.cookies))).body.accountId, service.started.ownerAccountId);
  assert.equal((await me(service, bearer(service.firstKey))).status, 200);
  const signIn = (email: string, word: string) =>
    post(service.app, "/api/auth/sign-in/email", { email, password: word });
  assert.equal((await signIn("owner@example.com", password)).status, 401);
  assert.equal((await signIn("owner@new.example", "the second password")).status, 200);
});

test("a reset link can be made for another account by its address, and for nobody unknown", async () => {
  const service = await startWithOwner({ signUp: "open" });
  const made = await post(service.app, "/api/auth/sign-up/email", { email: "other@example.com", password });
  const link = await service.setUp.resetLink({ email: "Other@Example.com" });
  const answer = await useLink(service, link, {
    email: "other@example.com",
    password: "the second password",
  });
  assert.equal((await me(service, browser(answer.cookies))).body.accountId, made.body.user.id);
  assert.equal(await service.setUp.resetLink({ email: "nobody@example.com" }), null);
});

test("a reset link works before the first start too", async () => {
  const service = await startService();
  const link = await service.setUp.resetLink({ email: null });
  const started = await service.setUp.start({ bootstrapApiKey: null });
  const answer = await useLink(service, link);
  assert.equal((await me(service, browser(answer.cookies))).body.accountId, started.ownerAccountId);
});

test("a bootstrap key is the owner's, is not printed, and replaces its predecessor", async () => {
  const service = await startService();
  const key = (letter: string) => `kcs_${letter.repeat(40)}`;
  const first = await service.setUp.start({ bootstrapApiKey: key("a") });
  assert.equal(first.firstKey, null);
  assert.ok(first.setUpLink !== null);
  assert.equal((await me(service, bearer(key("a")))).body.accountId, first.ownerAccountId);
  await service.setUp.start({ bootstrapApiKey: key("a") });
  assert.equal((await service.db.selectFrom("apikey").select("id").execute()).length, 1);
  await service.setUp.start({ bootstrapApiKey: key("b") });
  assert.equal((await me(service, bearer(key("a")))).status, 401);
  assert.equal((await me(service, bearer(key("b")))).status, 200);
  const without = await service.setUp.start({ bootstrapApiKey: null });
  assert.equal(without.firstKey, null, "there is a key already");
});

test("a bootstrap key leaves the keys that people made alone", async () => {
  const service = await startWithOwner();
  await service.setUp.start({ bootstrapApiKey: `kcs_${"a".repeat(40)}` });
  await service.setUp.start({ bootstrapApiKey: `kcs_${"b".repeat(40)}` });
  assert.equal((await me(service, bearer(service.firstKey))).status, 200);
});

test("several processes that start at once agree on one owner and one first key", async () => {
  const database = openDatabase();
  const services = [];
  for (let i = 0; i < 4; i++) services.push(await startService({ database }));
  const started = await Promise.all(services.map(({ setUp }) => setUp.start({ bootstrapApiKey: null })));
  assert.equal(new Set(started.map((one) => one.ownerAccountId)).size, 1);
  assert.equal(started.filter((one) => one.firstKey !== null).length, 1);
  assert.equal((await database.db.selectFrom("apikey").select("id").execute()).length, 1);
  const bootstrapApiKey = `kcs_${"z".repeat(40)}`;
  await Promise.all(services.map(({ setUp }) => setUp.start({ bootstrapApiKey })));
  assert.equal((await database.db.selectFrom("apikey").select("id").execute()).length, 2);
});

test("a start that died after any step is completed by the next", async () => {
  const steps = ["ensureAccount", "createKey", "hasPassword", "createLink"] as const;
  for (const step of steps) {
    const service = await startService();
    const dying = { ...service.auth.accounts, [step]: () => Promise.reject(new Error("killed")) };
    const broken = createSetUp({ accounts: dying, store: service.store, publicUrl: publicOrigin });
    await assert.rejects(broken.start({ bootstrapApiKey: null }), /killed/);
    const started = await service.setUp.start({ bootstrapApiKey: null });
    assert.equal((await useLink(service, started.setUpLink)).status, 200, step);
    const users = await sql`select id from "user"`.execute(service.db);
    assert.equal(users.rows.length, 1, step);
  }
});

test("a use of the link that died after any step leaves a way in", async () => {
  const steps = [
    /^delete from "verification" where "verification"."value"/,
    /^update "user"/,
    /^insert into "account"/,
  ];
  for (const step of steps) {
    const service = await startService();
    const started = await service.setUp.start({ bootstrapApiKey: null });
    service.fault.before = step;
    assert.equal((await useLink(service, started.setUpLink)).status, 500, String(step));
    assert.equal(service.fault.before, null);
    const again = await service.setUp.start({ bootstrapApiKey: null });
    const answer = await useLink(service, again.setUpLink);
    assert.equal(answer.status, 200, String(step));
    assert.equal((await me(service, browser(answer.cookies))).body.accountId, started.ownerAccountId);
  }
});
