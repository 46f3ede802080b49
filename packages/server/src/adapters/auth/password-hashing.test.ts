import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../../domain/errors.ts";
import { createPasswordHashing } from "./password-hashing.ts";

test("a password is verified against its hash alone", async () => {
  const hashing = createPasswordHashing().hashing;
  const hash = await hashing.hash("correct horse");
  assert.ok(!hash.includes("correct"));
  assert.equal(await hashing.verify({ hash, password: "correct horse" }), true);
  assert.equal(await hashing.verify({ hash, password: "wrong horse" }), false);
});

test("hashing does not stop the event loop", async () => {
  const hashing = createPasswordHashing().hashing;
  let turns = 0;
  let hashed = false;
  const done = hashing.hash("correct horse").then(() => {
    hashed = true;
  });
  while (!hashed) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  await done;
  assert.ok(turns > 20, `${turns} turns`);
});

test("too many at once are refused with a time to retry, and all others are served", async () => {
  const hashing = createPasswordHashing().hashing;
  const calls = Array.from({ length: 40 }, () => hashing.verify({ hash: "broken", password: "p" }));
  const outcomes = await Promise.allSettled(calls);
  const reasons = outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : null));
  const refused = reasons.filter((reason) => reason instanceof ServiceError);
  assert.equal(refused.length, 40 - 2 - 32);
  assert.ok(refused.every((error) => error.kind === "too_many_requests" && error.retryAfterSeconds === 5));
  assert.equal(await hashing.verify({ hash: await hashing.hash("p"), password: "p" }), true);
});

test("a stranger's hashings come after others', those of several addresses in turn, and no address has more than eight waiting", async () => {
  const { hashing, ofAddress } = createPasswordHashing();
  const order: string[] = [];
  const check = (from: string) =>
    hashing.verify({ hash: "broken", password: "p" }).catch((error: unknown) => {
      if (error instanceof ServiceError) throw error;
      order.push(from);
    });
  const flood = Array.from({ length: 20 }, () =>
    ofAddress({ address: "192.0.2.1", isStranger: true }, () => check("flood")),
  );
  const other = ofAddress({ address: "192.0.2.2", isStranger: true }, () => check("other"));
  const known = check("known");
  const outcomes = await Promise.allSettled(flood);
  await Promise.all([other, known]);
  assert.equal(outcomes.filter(({ status }) => status === "rejected").length, 20 - 2 - 8);
  assert.deepEqual(order.slice(0, 3).toSorted(), ["flood", "flood", "known"]);
  assert.ok(order.indexOf("other") < 6, order.join(" "));
});

test("many hashings of one known address leave others theirs in turn", async () => {
  const { hashing, ofAddress } = createPasswordHashing();
  const order: string[] = [];
  const check = (from: string) =>
    ofAddress({ address: from, isStranger: false }, () =>
      hashing.verify({ hash: "broken", password: "p" }),
    ).catch((error: unknown) => {
      if (error instanceof ServiceError) throw error;
      order.push(from);
    });
  const many = Array.from({ length: 20 }, () => check("192.0.2.1"));
  const other = check("192.0.2.2");
  const outcomes = await Promise.allSettled(many);
  await other;
  assert.equal(outcomes.filter(({ status }) => status === "rejected").length, 20 - 2 - 8);
  assert.ok(order.indexOf("192.0.2.2") < 5, order.join(" "));
});
