import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../domain/errors.ts";
import { createAccountSlots } from "./account-slots.ts";

const refused = (kind: ServiceError["kind"]) => (error: unknown) =>
  error instanceof ServiceError && error.kind === kind && error.retryAfterSeconds !== null;

test("an account has its own number of places, all together another, and each is given back once", () => {
  const slots = createAccountSlots({ what: "exports", perAccount: 2, total: 3 });
  const [first] = [slots.take("a"), slots.take("a")];
  assert.throws(() => slots.take("a"), refused("too_many_requests"));
  const other = slots.take("b");
  assert.throws(() => slots.take("b"), refused("unavailable"));
  other();
  other();
  first?.();
  slots.take("a");
  assert.throws(() => slots.take("a"), /^ServiceError: At most 2 exports of an account run at once/);
  slots.take("b");
  assert.throws(() => slots.take("b"), refused("unavailable"));
});

test("where all places are taken, the account with the most loses its oldest one to an account with two fewer", () => {
  const slots = createAccountSlots({ what: "exports", perAccount: null, total: 4 });
  const revoked: string[] = [];
  const take = (accountId: string, name: string) => slots.take(accountId, () => void revoked.push(name));
  const first = take("a", "a1");
  for (const name of ["a2", "a3", "a4"]) take("a", name);
  take("b", "b1");
  assert.deepEqual(revoked, ["a1"]);
  first();
  assert.throws(() => take("a", "a5"), refused("unavailable"));
  take("b", "b2");
  assert.deepEqual(revoked, ["a1", "a2"]);
  assert.throws(() => take("b", "b3"), refused("unavailable"));
});

test("a place that cannot be revoked is kept", () => {
  const slots = createAccountSlots({ what: "exports", perAccount: null, total: 2 });
  slots.take("a");
  slots.take("a");
  assert.throws(() => slots.take("b"), refused("unavailable"));
});

test("slots of several sizes: the first of an account may be larger, and one in place of others revokes the own oldest", () => {
  const slots = createAccountSlots({ what: "bytes", perAccount: 10, total: 25 });
  const revoked: string[] = [];
  const revoke = (name: string) => () => void revoked.push(name);
  const release = slots.take("a", revoke("a1"), 12);
  assert.throws(() => slots.take("a", revoke("a2"), 1), refused("too_many_requests"));
  slots.take("b", revoke("b1"), 4);
  slots.takeInPlace("a", revoke("a3"), 8);
  assert.deepEqual(revoked, ["a1"]);
  release();
  assert.equal(slots.taken, 12);
  slots.take("c", revoke("c1"), 10);
  slots.takeInPlace("d", revoke("d1"), 5);
  assert.deepEqual(revoked, ["a1", "c1"]);
  assert.equal(slots.taken, 17);
});

test("an account without a place gets the oldest that had its time, also of an account with a single one", (context) => {
  let now = 0;
  context.mock.method(performance, "now", () => now);
  const slots = createAccountSlots({ what: "fetches", perAccount: 4, total: 2, graceMs: 10 });
  const revoked: string[] = [];
  const take = (accountId: string) => slots.take(accountId, () => void revoked.push(accountId));
  take("a");
  now = 5;
  take("b");
  now = 9;
  assert.throws(() => take("c"), refused("unavailable"));
  now = 10;
  assert.throws(() => take("b"), refused("unavailable"));
  take("c");
  assert.deepEqual(revoked, ["a"]);
  assert.throws(() => take("d"), refused("unavailable"));
});

test("the last places are kept for accounts that have none", () => {
  const slots = createAccountSlots({ what: "suggestions", perAccount: 3, total: 6, kept: 2 });
  for (const accountId of ["a", "a", "b", "b"]) slots.take(accountId);
  assert.throws(() => slots.take("a"), refused("unavailable"));
  slots.take("c");
  assert.throws(() => slots.take("c"), refused("unavailable"));
  slots.take("d");
  assert.throws(() => slots.take("e"), refused("unavailable"));
});

test("where the kept places are taken, too, one makes way, and none for a request that is refused", () => {
  const slots = createAccountSlots({ what: "uploads", perAccount: 4, total: 8, kept: 2 });
  const revoked: string[] = [];
  const take = (accountId: string) => slots.take(accountId, () => void revoked.push(accountId));
  for (const accountId of ["a", "a", "a", "a", "b", "c", "d", "e"]) take(accountId);
  assert.equal(slots.taken, 8);
  take("b");
  assert.deepEqual([revoked, slots.taken], [["a"], 8]);
  assert.throws(() => slots.take("b", undefined, 2), refused("unavailable"));
  assert.deepEqual([revoked, slots.taken], [["a"], 8]);
});
