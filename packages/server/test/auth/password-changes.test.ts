import assert from "node:assert/strict";
import { test } from "node:test";
import {
  browser,
  countHashing,
  openDatabase,
  password,
  post,
  startService,
  startWithOwner,
} from "./support.ts";

const email = "owner@example.com";

/** From `meet` on, passwords are checked when that many wait for it. */
function meetingHashing() {
  const hashing = countHashing();
  const met = Promise.withResolvers<void>();
  let missing = Number.POSITIVE_INFINITY;
  return {
    meet: (count: number) => {
      missing = count;
    },
    hash: hashing.hash,
    async verify(input: { hash: string; password: string }) {
      missing--;
      if (missing === 0) met.resolve();
      if (missing < Number.POSITIVE_INFINITY) await met.promise;
      return hashing.verify(input);
    },
  };
}

test("of changes of a password at once, also in two processes, one succeeds and the others had a wrong password", async () => {
  const database = openDatabase();
  const hashing = meetingHashing();
  const { app, clock } = await startWithOwner({ database, hashing });
  const other = await startService({ database, hashing });
  other.clock.now = clock.now;
  const signIn = (text: string) => post(app, "/api/auth/sign-in/email", { email, password: text });
  const phrases = [
    "a brand new phrase 1",
    "a brand new phrase 2",
    "a brand new phrase 3",
    "a brand new phrase 4",
  ];
  const sessions = await Promise.all(phrases.map(async () => browser((await signIn(password)).cookies)));
  const change = (newPassword: string, at: number) =>
    post(
      at % 2 === 0 ? app : other.app,
      "/api/auth/change-password",
      { currentPassword: password, newPassword },
      sessions[at],
    );
  hashing.meet(phrases.length);
  const answers = await Promise.all(phrases.map(change));
  const winner = answers.findIndex(({ status }) => status === 200);
  for (const [at, { status, body }] of answers.entries()) {
    if (at === winner) continue;
    assert.equal(status, 400);
    assert.equal(body.detail, "Invalid password");
  }
  const read = (cookies: readonly string[]) =>
    app.inject({ url: "/api/v1/me", headers: browser(cookies) }).then(({ statusCode }) => statusCode);
  assert.equal(
    await read(answers[winner]?.cookies ?? []),
    200,
    "its new session is not ended by another change",
  );
  for (const [at, phrase] of phrases.entries())
    assert.equal((await signIn(phrase)).status, at === winner ? 200 : 401);
});
