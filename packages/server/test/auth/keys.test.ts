import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultKeyHasher } from "@better-auth/api-key";
import { hashKey } from "../../src/adapters/auth/key-cache.ts";
import { password, post, publicOrigin, send, startService, startWithOwner, writesAmong } from "./support.ts";

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function whoAmI(service: { app: Parameters<typeof send>[0] }, headers: Record<string, string>) {
  return send(service.app, { method: "GET", url: "/api/v1/me", headers });
}

test("a key is shown once, listed without its value, and gives access to its account", async () => {
  const service = await startWithOwner();
  const made = await post(service.app, "/api/auth/api-key/create", { name: "  ci  " }, service.session);
  assert.equal(made.status, 200);
  assert.match(made.body.key, /^kcs_[A-Za-z]{64}$/);
  assert.equal(made.body.name, "ci");
  assert.equal(made.body.rateLimitEnabled, false);
  assert.equal((await whoAmI(service, bearer(made.body.key))).body.accountId, service.started.ownerAccountId);

  const listed = await send(service.app, {
    method: "GET",
    url: "/api/auth/api-key/list",
    headers: service.session,
  });
  assert.deepEqual(
    listed.body.apiKeys.map((key: { name: string }) => key.name),
    ["ci", "First key"],
  );
  assert.ok(!JSON.stringify(listed.body).includes(made.body.key));
  const stored = await service.db.selectFrom("apikey").select("key").execute();
  assert.ok(stored.some((row) => row.key === hashKey(made.body.key)));
  assert.ok(!stored.some((row) => row.key.includes("kcs_")));
});

test("the stored form of a key is the library's own", async () => {
  assert.equal(hashKey("kcs_abc"), await defaultKeyHasher("kcs_abc"));
});

test("missing, malformed, unknown, foreign-scheme and over-long keys answer the same 401", async () => {
  const service = await startService();
  const bad: Record<string, string>[] = [
    {},
    { authorization: "" },
    { authorization: "Bearer" },
    { authorization: "Bearer " },
    { authorization: "Basic a2NzOmtjcw==" },
    bearer(`kcs_${"a".repeat(64)}`),
    bearer(`xyz_${"a".repeat(64)}`),
    bearer(`kcs_${"a".repeat(300)}`),
    bearer("kcs_a b"),
    bearer("kcs_ü"),
    { "x-api-key": `kcs_${"a".repeat(64)}` },
  ];
  for (const headers of bad) {
    const answer = await whoAmI(service, headers);
    assert.equal(answer.status, 401, JSON.stringify(headers));
    assert.deepEqual(answer.body, { detail: "Invalid API key" });
    assert.equal(answer.headers["www-authenticate"], "Bearer");
  }
});

test("the scheme's case does not matter", async () => {
  const service = await startWithOwner();
  for (const scheme of ["Bearer", "bearer", "BEARER"]) {
    assert.equal((await whoAmI(service, { authorization: `${scheme} ${service.firstKey}` })).status, 200);
  }
});

test("a malformed key never reaches the database", async () => {
  const service = await startService();
  const before = service.statements.length;
  for (const key of ["", "kcs_", "abc", `kcs_${"a".repeat(300)}`, "kcs_'; drop table apikey"]) {
    assert.equal(await service.auth.authenticator.authenticateKey(key), null);
  }
  assert.equal(service.statements.length, before);
});

test("a thousand requests with a key cost one read and no write", async () => {
  const service = await startWithOwner();
  const before = service.statements.length;
  for (let i = 0; i < 1000; i++) await service.auth.authenticator.authenticateKey(service.firstKey);
  const ran = service.statements.slice(before);
  assert.equal(ran.length, 1, ran.join("\n"));
  assert.deepEqual(writesAmong(ran), []);
});

test("the last use of a key is written in one batch, not per request", async () => {
  const service = await startWithOwner();
  const at = service.clock.now;
  for (let i = 0; i < 10; i++) await service.auth.authenticator.authenticateKey(service.firstKey);
  const before = service.statements.length;
  await service.auth.authenticator.close();
  assert.equal(writesAmong(service.statements.slice(before)).length, 1);
  const listed = await send(service.app, {
    method: "GET",
    url: "/api/auth/api-key/list",
    headers: service.session,
  });
  assert.equal(Date.parse(listed.body.apiKeys[0].lastRequest), at);
});

test("a deleted key stops at once here, and within a second in another process", async () => {
  const here = await startWithOwner();
  const elsewhere = await startService({ database: here });
  elsewhere.clock.now = here.clock.now;
  const made = await post(here.app, "/api/auth/api-key/create", { name: "short-lived" }, here.session);
  const key = bearer(made.body.key);
  assert.equal((await whoAmI(here, key)).status, 200);
  assert.equal((await whoAmI(elsewhere, key)).status, 200);

  const gone = await post(here.app, "/api/auth/api-key/delete", { keyId: made.body.id }, here.session);
  assert.equal(gone.status, 200);
  assert.equal((await whoAmI(here, key)).status, 401);
  elsewhere.clock.now += 999;
  assert.equal((await whoAmI(elsewhere, key)).status, 401);
});

test("a key made elsewhere works within a second of a first try, and one made here at once", async () => {
  const here = await startWithOwner();
  const elsewhere = await startService({ database: here });
  await elsewhere.setUp.start({ bootstrapApiKey: null });
  const bootstrapKey = `kcs_${"b".repeat(40)}`;
  assert.equal((await whoAmI(here, bearer(bootstrapKey))).status, 401);
  assert.equal((await whoAmI(elsewhere, bearer(bootstrapKey))).status, 401);
  await elsewhere.setUp.start({ bootstrapApiKey: bootstrapKey });
  assert.equal((await whoAmI(elsewhere, bearer(bootstrapKey))).status, 200);
  here.clock.now += 999;
  assert.equal((await whoAmI(here, bearer(bootstrapKey))).status, 200);
});

test("a key stops at the instant of its expiry, cached or not", async () => {
  const service = await startWithOwner();
  const made = await post(
    service.app,
    "/api/auth/api-key/create",
    { name: "a day", expiresIn: 86_400 },
    service.session,
  );
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const expiresAt = Date.parse(made.body.expiresAt);
  service.clock.now = expiresAt - 1;
  assert.equal((await whoAmI(service, bearer(made.body.key))).status, 200);
  service.clock.now = expiresAt;
  assert.equal((await whoAmI(service, bearer(made.body.key))).status, 401);
});

test("a key can expire in a second or in a thousand years, but not in the past and not after the year 9999", async () => {
  const service = await startWithOwner();
  const year = 365 * 86_400;
  for (const expiresIn of [1, 3600, year, 1000 * year, null]) {
    const made = await post(
      service.app,
      "/api/auth/api-key/create",
      { name: "k", expiresIn },
      service.session,
    );
    assert.equal(made.status, 200, `${expiresIn}: ${JSON.stringify(made.body)}`);
  }
  for (const expiresIn of [0, -5, 1.5, "3600", 9000 * year, 1e300]) {
    const made = await post(
      service.app,
      "/api/auth/api-key/create",
      { name: "k", expiresIn },
      service.session,
    );
    assert.equal(made.status, 400, String(expiresIn));
    assert.match(made.body.detail, /^expiresIn: /);
  }
});

test("a key's name is required: 1 to 100 characters without NUL", async () => {
  const service = await startWithOwner();
  for (const name of [undefined, null, "", "   ", 5, "x".repeat(101), "a\0b", "a\nb", "\ud800"]) {
    const made = await post(service.app, "/api/auth/api-key/create", { name }, service.session);
    assert.equal(made.status, 400, JSON.stringify(name));
    assert.match(made.body.detail, /^name: /);
  }
  for (const name of ["x".repeat(100), "😀".repeat(100)]) {
    const made = await post(service.app, "/api/auth/api-key/create", { name }, service.session);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    assert.equal(made.body.name, name);
  }
});

test("prefix, limits, permissions, metadata and owner of a key are not the client's to choose", async () => {
  const service = await startWithOwner();
  const extras = [
    { prefix: "abc_" },
    { prefix: "kcs_" },
    { metadata: { a: 1 } },
    { permissions: { all: ["read"] } },
    { remaining: 5 },
    { refillAmount: 1, refillInterval: 1 },
    { rateLimitEnabled: false },
    { rateLimitMax: 1 },
    { userId: "someone" },
    { organizationId: "x" },
    { configId: "other" },
  ];
  for (const extra of extras) {
    const made = await post(
      service.app,
      "/api/auth/api-key/create",
      { name: "k", ...extra },
      service.session,
    );
    assert.equal(made.status, 400, JSON.stringify(extra));
    assert.match(made.body.detail, new RegExp(`${Object.keys(extra)[0]}`));
  }
  const stored = await service.db.selectFrom("apikey").select("id").execute();
  assert.equal(stored.length, 1);
});

test("a key cannot manage keys, sessions or passwords", async () => {
  const service = await startWithOwner();
  const origin = { origin: publicOrigin };
  for (const headers of [bearer(service.firstKey), { "x-api-key": service.firstKey }]) {
    const answers = [
      await post(service.app, "/api/auth/api-key/create", { name: "k" }, { ...headers, ...origin }),
      await post(service.app, "/api/auth/api-key/delete", { keyId: "x" }, { ...headers, ...origin }),
      await send(service.app, { method: "GET", url: "/api/auth/api-key/list", headers }),
      await post(
        service.app,
        "/api/auth/change-password",
        { currentPassword: password, newPassword: "another good password" },
        { ...headers, ...origin },
      ),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 401);
      assert.equal(typeof answer.body.detail, "string");
    }
    const session = await send(service.app, { method: "GET", url: "/api/auth/get-session", headers });
    assert.equal(session.body, null);
  }
});

test("nobody can delete another account's key", async () => {
  const service = await startWithOwner({ signUp: "open" });
  const [owned] = await service.db.selectFrom("apikey").select("id").execute();
  const eve = { email: "eve@example.com", password };
  await post(service.app, "/api/auth/sign-up/email", eve);
  const stranger = await post(service.app, "/api/auth/sign-in/email", eve);
  assert.equal(stranger.status, 200, JSON.stringify(stranger.body));
  const cookie = stranger.cookies.map((line) => line.split(";")[0]).join("; ");
  const headers = { cookie, origin: publicOrigin };
  const answer = await post(service.app, "/api/auth/api-key/delete", { keyId: owned?.id }, headers);
  assert.equal(answer.status, 404);
  assert.equal(typeof answer.body.detail, "string");
  // PostgreSQL takes no text with NUL.
  const odd = await post(service.app, "/api/auth/api-key/delete", { keyId: "a\0" }, headers);
  assert.deepEqual([odd.status, odd.body.detail], [400, "keyId: has a NUL character, expected none"]);
  assert.equal((await whoAmI(service, bearer(service.firstKey))).status, 200);
});

test("an account has at most 500 keys, also when several are made at the same time", async () => {
  const service = await startWithOwner();
  const owner = service.started.ownerAccountId;
  for (let i = 1; i < 499; i++) await service.auth.accounts.createKey({ accountId: owner, name: `key ${i}` });
  const create = (name: string) => post(service.app, "/api/auth/api-key/create", { name }, service.session);
  const together = await Promise.all(Array.from({ length: 6 }, (_, at) => create(`last ${at}`)));
  const statuses = together.map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [200, 400, 400, 400, 400, 400]);
  const listed = await send(service.app, {
    method: "GET",
    url: "/api/auth/api-key/list",
    headers: service.session,
  });
  assert.equal(listed.body.apiKeys.length, 500);
  const made = await create("one more");
  assert.equal(made.status, 400);
  assert.match(made.body.detail, /500 API keys/);
});
