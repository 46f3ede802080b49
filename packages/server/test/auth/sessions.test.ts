import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import {
  browser,
  countHashing,
  password,
  post,
  publicOrigin,
  send,
  startService,
  startWithOwner,
  tokenOf,
} from "./support.ts";

const credentials = { email: "owner@example.com", password };
const signInPath = "/api/auth/sign-in/email";

test("signing in sets cookies that scripts cannot read and other sites do not send", async () => {
  const { app } = await startWithOwner();
  const answer = await post(app, signInPath, credentials, { origin: publicOrigin });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers["cache-control"], "no-store");
  // The second one marks a browser that has signed in (guessing.test.ts).
  assert.equal(answer.cookies.length, 2);
  const cookie = answer.cookies[0] ?? "";
  assert.match(cookie, /^kcs\.session_token=/);
  for (const attribute of [/; HttpOnly/, /; SameSite=Lax/, /; Path=\/(;|$)/, /; Max-Age=604800/]) {
    assert.match(cookie, attribute);
  }
  assert.doesNotMatch(cookie, /Secure/);
});

test("under an https address with a prefix the cookie is Secure and bound to the prefix", async () => {
  const publicUrl = "https://service.test/knowledge";
  const service = await startService({ publicUrl });
  const { setUpLink } = await service.setUp.start({ bootstrapApiKey: null });
  assert.match(setUpLink ?? "", /^https:\/\/service\.test\/knowledge\/set-up#token=/);
  const body = { token: setUpLink?.split("#token=")[1], ...credentials };
  const headers = { origin: "https://service.test" };
  const answer = await post(service.app, "/api/auth/set-up", body, headers);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.match(answer.cookies[0] ?? "", /^__Secure-kcs\.session_token=.*; Path=\/knowledge;.*Secure/);
  assert.match(
    answer.cookies[1] ?? "",
    /^__Secure-kcs\.known_browser=.*; Path=\/knowledge\/api\/auth;.*Secure/,
  );
  const again = await post(service.app, signInPath, credentials, headers);
  assert.equal(again.status, 200);
});

test("where the database does not answer, sign-in and sessions are 503", async () => {
  const { app, outage, logged } = await startWithOwner();
  const { cookies } = await post(app, signInPath, credentials, { origin: publicOrigin });
  const headers = browser(cookies);
  const before = logged.length;
  outage.error = Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:5432"), { code: "ECONNREFUSED" });
  for (const answer of [
    await post(app, signInPath, credentials, { origin: publicOrigin }),
    await send(app, { url: "/api/auth/get-session", headers }),
    await send(app, { url: "/api/v1/me", headers }),
  ]) {
    assert.equal(answer.status, 503);
    assert.ok(Number(answer.headers["retry-after"]) > 0);
    assert.match(answer.body.detail, /^The PostgreSQL server did not answer \(ECONNREFUSED\)/);
  }
  const signOut = () => post(app, "/api/auth/sign-out", {}, headers);
  const refused = await signOut();
  assert.equal(refused.status, 503, "it has not ended the session");
  assert.deepEqual(refused.cookies, []);
  assert.equal((await send(app, { url: "/api/auth/api-key/list", headers })).status, 503);
  const failed = logged.slice(before).filter((line) => !line.startsWith("auth_refused"));
  assert.ok(failed.length >= 3);
  for (const line of failed) assert.match(line, /connection_lost/, "the log of an outage knows it");
  outage.error = Object.assign(new Error("lock timeout"), { code: "55P03" });
  assert.match((await signOut()).body.detail, /Try again in a few seconds/);
  outage.error = null;
  assert.equal((await send(app, { url: "/api/v1/me", headers })).status, 200);
});

test("a wrong password and an unknown address answer the same 401, after as many hashings", async () => {
  const hashing = countHashing();
  const { app } = await startWithOwner({ hashing });
  const before = hashing.calls;
  const wrong = await post(app, signInPath, { ...credentials, password: "wrong password" });
  assert.equal(hashing.calls, before + 1);
  const unknown = await post(app, signInPath, { ...credentials, email: "nobody@example.com" });
  assert.equal(hashing.calls, before + 2);
  assert.equal(wrong.status, 401);
  assert.deepEqual(wrong.body, unknown.body);
  assert.equal(wrong.body.detail, wrong.body.message);
});

test("on the API a session cookie counts only for the service's own pages", async () => {
  const { app, session } = await startWithOwner();
  const { cookie } = session;
  const get = (headers: Record<string, string>) => send(app, { method: "GET", url: "/api/v1/me", headers });
  const write = (headers: Record<string, string>) =>
    send(app, { method: "POST", url: "/api/v1/me", headers });
  const sameOrigin = { cookie, "sec-fetch-site": "same-origin" };

  assert.equal((await get(sameOrigin)).body.via, "session");
  assert.equal((await get({ cookie })).status, 401);
  assert.equal((await get({ cookie, "sec-fetch-site": "same-site" })).status, 401);
  assert.equal((await get({ cookie, "sec-fetch-site": "cross-site" })).status, 401);
  assert.equal((await get({ cookie, "sec-fetch-site": "none" })).status, 401);

  assert.equal((await write({ ...sameOrigin, origin: publicOrigin })).body.via, "session");
  assert.equal((await write(sameOrigin)).status, 401);
  assert.equal((await write({ ...sameOrigin, origin: "http://evil.test" })).status, 401);
  assert.equal((await write({ ...sameOrigin, origin: "null" })).status, 401);
});

test("a present but bad key is refused even beside a good session", async () => {
  const { app, session } = await startWithOwner();
  for (const authorization of ["Bearer kcs_unknown", "Bearer", "", "Basic eDp5"]) {
    const headers = { ...session, authorization };
    assert.equal((await send(app, { method: "GET", url: "/api/v1/me", headers })).status, 401, authorization);
  }
});

test("a forged, foreign or ended session is no session", async () => {
  const { app, session } = await startWithOwner();
  const me = (cookie: string) =>
    send(app, { method: "GET", url: "/api/v1/me", headers: { cookie, "sec-fetch-site": "same-origin" } });
  const cookie = session.cookie;
  assert.equal((await me(cookie)).status, 200);
  assert.equal((await me(cookie.replace(/(session_token=\w+)\.[^;]*/, "$1.AAAA"))).status, 401);
  assert.equal((await me("kcs.session_token=abc")).status, 401);
  assert.equal((await me("other=1")).status, 401);
  assert.equal((await post(app, "/api/auth/sign-out", {}, session)).status, 200);
  assert.equal((await me(cookie)).status, 401);
});

test("requests that another site's page makes are refused, with a word on the address", async () => {
  const { app, session } = await startWithOwner();
  const cookie = session.cookie;
  const evil = "http://evil.test";
  const attempts = [
    await post(app, "/api/auth/sign-out", {}, { cookie, origin: evil }),
    await post(app, "/api/auth/api-key/create", { name: "k" }, { cookie, origin: evil }),
    await post(app, "/api/auth/api-key/create", { name: "k" }, { cookie, origin: "null" }),
    await post(app, "/api/auth/api-key/create", { name: "k" }, { cookie }),
    await post(app, "/api/auth/api-key/create", { name: "k" }, { cookie, referer: `${publicOrigin}/` }),
    await post(app, "/api/auth/api-key/create", { name: "k" }, { cookie, origin: evil, host: "evil.test" }),
    await post(app, signInPath, credentials, { origin: evil }),
    await post(app, signInPath, credentials, { "sec-fetch-site": "cross-site" }),
    await post(app, "/api/auth/set-up", { token: "t", ...credentials }, { origin: evil }),
  ];
  for (const [index, answer] of attempts.entries()) {
    assert.equal(answer.status, 403, String(index));
    assert.equal(typeof answer.body.detail, "string");
  }
  const elsewhere = await post(app, signInPath, credentials, { origin: "http://localhost:8080" });
  assert.match(elsewhere.body.detail, /http:\/\/service\.test.*KCS_PUBLIC_URL/);
  assert.equal(
    (await post(app, signInPath, credentials)).status,
    200,
    "a program without cookies may sign in",
  );
});

test("only the endpoints that a dashboard needs are there", async () => {
  const { app, session } = await startWithOwner({ signUp: "open" });
  const closed = [
    "/api-key/verify",
    "/api-key/update",
    "/api-key/get",
    "/api-key/delete-all-expired-api-keys",
    "/update-user",
    "/change-email",
    "/delete-user",
    "/set-password",
    "/verify-password",
    "/request-password-reset",
    "/reset-password",
    "/reset-password/abc",
    "/sign-in/social",
    "/callback/github",
    "/link-social",
    "/list-sessions",
    "/revoke-sessions",
    "/update-session",
    "/list-accounts",
    "/verify-email",
    "/ok",
    "/error",
    "/api/reference",
    "/",
    "",
  ];
  for (const path of closed) {
    for (const method of ["GET", "POST"] as const) {
      const answer = await send(app, { method, url: `/api/auth${path}`, headers: session });
      assert.equal(answer.status, 404, `${method} ${path}`);
    }
  }
  for (const path of ["/API-KEY/verify", "/api-key/list/", "//api-key/list", "/x/../api-key/update"]) {
    assert.equal(
      (await send(app, { method: "GET", url: `/api/auth${path}`, headers: session })).status,
      404,
      path,
    );
  }
});

test("a wrong method answers 405 and says which is right", async () => {
  const { app } = await startService();
  const answer = await send(app, { method: "GET", url: signInPath });
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.allow, "POST");
  assert.equal((await send(app, { method: "POST", url: "/api/auth/get-session" })).headers.allow, "GET");
});

test("bodies that are malformed, too large or of another type are refused with a detail", async () => {
  const { app } = await startService();
  const json = { "content-type": "application/json" };
  const tries: [number, Record<string, string>, string][] = [
    [400, json, "{"],
    [400, json, "[]"],
    [400, json, '"text"'],
    [400, json, JSON.stringify({ ...credentials, callbackURL: "http://evil.test" })],
    [400, json, JSON.stringify({ email: { $ne: 1 }, password })],
    [400, json, JSON.stringify({ email: "owner", password })],
    [400, json, JSON.stringify({ email: "owner@kcs.invalid", password })],
    [413, json, JSON.stringify({ ...credentials, password: "x".repeat(70_000) })],
    [415, { "content-type": "application/x-www-form-urlencoded" }, "email=a&password=b"],
    [415, { "content-type": "text/plain" }, JSON.stringify(credentials)],
  ];
  for (const [status, headers, payload] of tries) {
    const answer = await send(app, { method: "POST", url: signInPath, headers, payload });
    assert.equal(answer.status, status, payload.slice(0, 80));
    assert.equal(typeof answer.body.detail, "string");
  }
});

test("sign-in is throttled by the socket's address, whatever the headers claim", async () => {
  const { app } = await startWithOwner();
  const attempt = (remoteAddress: string, headers: Record<string, string> = {}, email = credentials.email) =>
    send(app, {
      method: "POST",
      url: signInPath,
      remoteAddress,
      headers: { "content-type": "application/json", ...headers },
      payload: JSON.stringify({ email, password }),
    });
  for (let i = 0; i < 10; i++) {
    const forged = { "x-forwarded-for": `198.51.100.${i}`, "x-kcs-client-address": `198.51.100.${i}` };
    assert.equal((await attempt("203.0.113.7", forged, `nobody${i}@example.com`)).status, 401);
  }
  const refused = await attempt("203.0.113.7", { "x-forwarded-for": "192.0.2.99" });
  assert.equal(refused.status, 429);
  assert.match(refused.body.detail, /^Too many attempts\. Try again in \d+ seconds\.$/);
  const seconds = Number(refused.headers["retry-after"]);
  assert.ok(seconds >= 1 && seconds <= 60);
  assert.equal((await attempt("203.0.113.8")).status, 200, "another address is not affected");
  assert.equal((await attempt("::ffff:203.0.113.7")).status, 429, "the same address as IPv6");
});

test("behind a trusted proxy attempts are counted per forwarded address", async () => {
  const { app, clock } = await startService({ trustedProxies: ["10.0.0.0/8"] });
  // Counted like sign-in, but costs no hashing while nobody is signed in.
  const attempt = (forwarded: string, remoteAddress = "10.1.2.3") =>
    send(app, {
      method: "POST",
      url: "/api/auth/change-password",
      remoteAddress,
      headers: { "content-type": "application/json", "x-forwarded-for": forwarded },
      payload: JSON.stringify({ currentPassword: "wrong password", newPassword: "another password" }),
    });
  for (let i = 0; i < 10; i++) {
    assert.equal((await attempt(`198.51.100.${i}, 203.0.113.7, 10.9.9.9`)).status, 401);
  }
  assert.equal((await attempt("203.0.113.7")).status, 429);
  assert.equal((await attempt("203.0.113.8")).status, 401);
  assert.equal((await attempt("203.0.113.7", "192.0.2.1")).status, 401, "that peer is not trusted");
  clock.now += 61_000;
  assert.equal((await attempt("203.0.113.7")).status, 401);
});

test("closed sign-up says who can open it and creates nothing", async () => {
  const service = await startWithOwner();
  const body = { email: "new@example.com", password, name: "New" };
  const answer = await post(service.app, "/api/auth/sign-up/email", body);
  assert.equal(answer.status, 403);
  assert.match(answer.body.detail, /KCS_SIGN_UP=open/);
  assert.equal((await post(service.app, signInPath, { email: body.email, password })).status, 401);
  const request = new Request(`${publicOrigin}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const direct = await service.auth.endpoints.handle(request, "192.0.2.1");
  assert.equal(direct.status, 400, "the library refuses too");
});

test("open sign-up makes a separate account, in which one can sign in", async () => {
  const service = await startWithOwner({ signUp: "open" });
  const body = { email: "New@Example.com", password };
  const answer = await post(service.app, "/api/auth/sign-up/email", body, { origin: publicOrigin });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(answer.cookies, []);
  const signedIn = await post(service.app, signInPath, body, { origin: publicOrigin });
  const headers = browser(signedIn.cookies);
  const me = await send(service.app, { method: "GET", url: "/api/v1/me", headers });
  assert.equal(me.status, 200);
  assert.notEqual(me.body.accountId, service.started.ownerAccountId);
});

test("sign-up answers alike for an address with an account, after as many hashings", async () => {
  const hashing = countHashing();
  const service = await startWithOwner({ signUp: "open", hashing });
  const signUp = async (email: string) => {
    const before = hashing.calls;
    const body = { email, password: "somebody's own phrase", name: "Somebody" };
    const answer = await post(service.app, "/api/auth/sign-up/email", body);
    const { user, ...rest } = answer.body;
    assert.equal(user.email, email);
    const { "content-length": _length, date: _date, ...headers } = answer.headers;
    const form = Object.entries(user).map(([key, value]) => [key, typeof value, String(value).length]);
    const shape = form.filter(([key]) => key !== "email");
    return { status: answer.status, rest, headers, shape, hashings: hashing.calls - before };
  };
  const known = await signUp(credentials.email);
  assert.deepEqual(await signUp("new@example.com"), known);
  assert.deepEqual([known.status, known.rest, known.hashings], [200, { token: null }, 1]);
  assert.equal((await post(service.app, signInPath, credentials)).status, 200, "the password is unchanged");
});

test("sign-ups with one address at the same time answer alike, whether or not it has an account", async () => {
  const service = await startWithOwner({ signUp: "open", hashing: countHashing() });
  const signUpTogether = async (email: string) => {
    const body = { email, password: "somebody's own phrase", name: "Somebody" };
    const answers = await Promise.all(
      Array.from({ length: 2 }, () => post(service.app, "/api/auth/sign-up/email", body)),
    );
    return answers.map(({ status }) => status);
  };
  assert.deepEqual(await signUpTogether("new@example.com"), [200, 200]);
  assert.deepEqual(await signUpTogether(credentials.email), [200, 200]);
});

test("short, long and common passwords are refused wherever one is chosen", async () => {
  const service = await startWithOwner({ signUp: "open", hashing: countHashing() });
  const { app, session } = service;
  const link = await service.setUp.resetLink({ email: null });
  const refusals: [string, RegExp][] = [
    ["short", /has 5 characters, expected a string of 10 to 128/],
    ["x".repeat(129), /has 129 characters/],
    ["1q2w3e4r5t", /one of the most common passwords/],
    ["Password123", /one of the most common passwords/],
  ];
  for (const [weak, reason] of refusals) {
    const answers = [
      await post(app, "/api/auth/sign-up/email", { email: "a@example.com", password: weak }),
      await post(app, "/api/auth/set-up", { token: tokenOf(link), email: "a@example.com", password: weak }),
      await post(app, "/api/auth/change-password", { currentPassword: password, newPassword: weak }, session),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 400);
      assert.match(answer.body.detail, /^(password|newPassword): /);
      assert.match(answer.body.detail, reason);
    }
  }
  assert.equal((await post(app, signInPath, credentials)).status, 200);
});

test("the database has the hash of a session's token, also after it was renewed", async (context) => {
  const service = await startWithOwner();
  const tokenIn = (cookies: readonly string[]) => /session_token=([^.;]+)\./.exec(cookies.join())?.[1] ?? "";
  const stored = async () => JSON.stringify((await sql`select * from session`.execute(service.db)).rows);
  const token = tokenIn([service.session.cookie]);
  assert.equal(token.length, 32);
  assert.ok(!(await stored()).includes(token));

  context.mock.timers.enable({ apis: ["Date"], now: Date.now() + 2 * 24 * 3600 * 1000 });
  const url = "/api/auth/get-session";
  const renewed = await send(service.app, { method: "GET", url, headers: service.session });
  assert.equal(tokenIn(renewed.cookies), token);
  assert.ok(!(await stored()).includes(token));
  const me = await send(service.app, { method: "GET", url: "/api/v1/me", headers: service.session });
  assert.equal(me.body.via, "session");
  assert.equal((await post(service.app, "/api/auth/sign-out", {}, service.session)).status, 200);
  assert.equal(await stored(), "[]");
});

test("no response tells a session's token to the scripts of a page", async () => {
  const { app } = await startWithOwner();
  const signedIn = await post(app, signInPath, credentials, { origin: publicOrigin });
  const headers = browser(signedIn.cookies);
  const read = await send(app, { method: "GET", url: "/api/auth/get-session", headers });
  const passwords = { currentPassword: credentials.password, newPassword: "a new and better one" };
  const changed = await post(app, "/api/auth/change-password", passwords, headers);
  assert.equal(read.body.user.email, credentials.email);
  const tokens = [signedIn, changed].map(
    ({ cookies }) => /session_token=([^.;]+)\./.exec(cookies.join())?.[1],
  );
  assert.ok(tokens.every((token) => token?.length === 32));
  for (const { status, body } of [signedIn, read, changed]) {
    assert.equal(status, 200);
    for (const token of tokens) assert.ok(!JSON.stringify(body).includes(token ?? ""));
    assert.doesNotMatch(JSON.stringify(body), /"token"/);
  }
});

test("changing the password ends the other sessions and the old password", async () => {
  const { app, session } = await startWithOwner();
  const other = await post(app, signInPath, credentials, { origin: publicOrigin });
  const newPassword = "a new and better one";
  const wrong = { currentPassword: "wrong password", newPassword };
  assert.equal((await post(app, "/api/auth/change-password", wrong, session)).status, 400);
  const changed = await post(
    app,
    "/api/auth/change-password",
    { currentPassword: password, newPassword },
    session,
  );
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const me = (cookies: Record<string, string>) =>
    send(app, { method: "GET", url: "/api/v1/me", headers: cookies });
  assert.equal((await me(browser(changed.cookies))).status, 200);
  assert.equal((await me(browser(other.cookies))).status, 401);
  assert.equal((await me(session)).status, 401);
  assert.equal((await post(app, signInPath, credentials)).status, 401);
  assert.equal((await post(app, signInPath, { ...credentials, password: newPassword })).status, 200);
});

test("an account keeps its fifty newest sessions, and ended ones are removed", async () => {
  const service = await startWithOwner();
  const owner = service.started.ownerAccountId;
  const insert = (id: string, times: { createdAt: string; expiresAt: string }) =>
    sql`insert into session (id, token, "userId", "createdAt", "updatedAt", "expiresAt")
      values (${id}, ${id}, ${owner}, ${times.createdAt}, ${times.createdAt}, ${times.expiresAt})`.execute(
      service.db,
    );
  for (let i = 0; i < 60; i++) {
    const createdAt = new Date(Date.UTC(2020, 0, 1, 0, i)).toISOString();
    await insert(`old${i}`, { createdAt, expiresAt: "2999-01-01T00:00:00.000Z" });
  }
  await insert("ended", { createdAt: "2998-01-01T00:00:00.000Z", expiresAt: "2020-01-01T00:00:00.000Z" });
  const answer = await post(service.app, signInPath, credentials, { origin: publicOrigin });
  assert.equal(answer.status, 200);
  const left = await sql<{ id: string }>`select id from session`.execute(service.db);
  assert.equal(left.rows.length, 50);
  assert.ok(!left.rows.some(({ id }) => id === "ended" || id === "old0"));
  assert.equal(
    (await send(service.app, { method: "GET", url: "/api/v1/me", headers: service.session })).status,
    200,
  );
});

test("neither passwords nor keys nor tokens are logged", async () => {
  const service = await startWithOwner();
  await post(service.app, signInPath, { ...credentials, password: "wrong password" });
  await post(service.app, "/api/auth/api-key/create", { name: "k", prefix: "x" }, service.session);
  await post(service.app, "/api/auth/set-up", { token: "guess-token", ...credentials });
  const log = service.logged.join("\n");
  const secrets = [password, "wrong password", service.firstKey, "guess-token", service.session.cookie];
  for (const secret of secrets) assert.ok(!log.includes(secret), secret);
});
