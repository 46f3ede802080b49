import assert from "node:assert/strict";
import { test } from "node:test";
import { password, post, send, startService, startWithOwner } from "./support.ts";

test("a session that the service has not signed is refused before the accounts library works on it", async (context) => {
  const { app, session } = await startWithOwner();
  // The library calls it to check a cookie.
  const { mock } = context.mock.method(globalThis.crypto.subtle, "importKey");
  const cookie = `kcs.session_token=${"x".repeat(32)}.${"A".repeat(43)}=`;
  const ask = (url: string, headers: Record<string, string>) => send(app, { method: "GET", url, headers });
  const forged = { ...session, cookie };
  assert.equal((await ask("/api/v1/me", forged)).status, 401);
  assert.equal((await ask("/api/auth/get-session", forged)).body, null);
  const list = await ask("/api/auth/api-key/list", forged);
  assert.deepEqual([list.status, list.body.code, list.body.detail], [401, "UNAUTHORIZED", "Unauthorized"]);
  const passwords = { currentPassword: password, newPassword: "a new and better one" };
  assert.equal((await post(app, "/api/auth/change-password", passwords, forged)).status, 401);
  assert.equal((await post(app, "/api/auth/api-key/create", { name: "k" }, forged)).status, 401);
  assert.equal((await post(app, "/api/auth/api-key/delete", { keyId: "k" }, forged)).status, 401);
  assert.deepEqual((await post(app, "/api/auth/sign-out", {}, forged)).body, { success: true });
  assert.equal(mock.callCount(), 0);
  assert.equal((await ask("/api/auth/get-session", session)).body.user.email, "owner@example.com");
  assert.ok(mock.callCount() > 0);
});

test("an address has 600 requests a minute at an endpoint that costs no guess", async () => {
  const { app, clock } = await startService();
  const ask = async (remoteAddress: string) =>
    (await send(app, { url: "/api/auth/get-session", remoteAddress })).status;
  for (let i = 0; i < 600; i++) assert.equal(await ask("203.0.113.7"), 200);
  assert.equal(await ask("203.0.113.7"), 429);
  assert.equal(await ask("203.0.113.8"), 200);
  clock.now += 61_000;
  assert.equal(await ask("203.0.113.7"), 200);
});
