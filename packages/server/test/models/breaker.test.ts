import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createBreaker } from "../../src/adapters/models/language/breaker.ts";
import { createFakeClock } from "./fake-clock.ts";

const COOL_DOWN_MS = 1_000;

function opened() {
  const clock = createFakeClock();
  const breaker = createBreaker({ failuresToOpen: 3, coolDownMs: COOL_DOWN_MS, clock });
  const fail = () => breaker.leave(breaker.enter("one"), "failed");
  for (let count = 0; count < 3; count++) fail();
  return { clock, breaker, openedAt: clock.now() };
}

describe("the circuit breaker", () => {
  test("opens after failures in a row, of which an answer, and nothing else, makes an end", () => {
    const clock = createFakeClock();
    const breaker = createBreaker({ failuresToOpen: 3, coolDownMs: COOL_DOWN_MS, clock });
    for (const outcome of ["failed", "failed", "answered", "failed", "unknown", "failed"] as const) {
      breaker.leave(breaker.enter("one"), outcome);
      assert.equal(breaker.state(), "closed");
    }
    breaker.leave(breaker.enter("one"), "failed");
    assert.equal(breaker.state(), "open");
    assert.deepEqual(breaker.enter("one"), { kind: "refused", retryAt: clock.now() + COOL_DOWN_MS });
  });

  test("lets one probe through after the cool-down, and everything once that is answered", () => {
    const { clock, breaker } = opened();
    clock.advance(COOL_DOWN_MS);
    assert.equal(breaker.state(), "half_open");
    const probe = breaker.enter("one");
    assert.equal(probe.kind, "probe");
    assert.deepEqual(breaker.enter("one"), { kind: "refused", retryAt: clock.now() + COOL_DOWN_MS });
    breaker.leave(probe, "answered");
    assert.equal(breaker.state(), "closed");
    const call = { kind: "call", accountId: "one" };
    assert.deepEqual([breaker.enter("one"), breaker.enter("one")], [call, call]);
  });

  test("a probe that fails doubles the cool-down, up to five minutes", () => {
    const { clock, breaker } = opened();
    const coolDowns: number[] = [];
    for (let round = 0; round < 12; round++) {
      clock.advance((breaker.retryAt("one") ?? clock.now()) - clock.now());
      breaker.leave(breaker.enter("one"), "failed");
      coolDowns.push((breaker.retryAt("one") ?? 0) - clock.now());
    }
    assert.deepEqual(coolDowns.slice(0, 3), [2_000, 4_000, 8_000]);
    assert.equal(coolDowns.at(-1), 300_000);
  });

  test("a probe that is given up lets the next one through", () => {
    const { clock, breaker } = opened();
    clock.advance(COOL_DOWN_MS);
    breaker.leave(breaker.enter("one"), "unknown");
    assert.equal(breaker.enter("one").kind, "probe");
  });

  test("calls that began before it opened do not prolong it, and one that is answered closes it", () => {
    const clock = createFakeClock();
    const breaker = createBreaker({ failuresToOpen: 1, coolDownMs: COOL_DOWN_MS, clock });
    const entries = [breaker.enter("one"), breaker.enter("one"), breaker.enter("one")] as const;
    breaker.leave(entries[0], "failed");
    const until = breaker.retryAt("one");
    clock.advance(10);
    breaker.leave(entries[1], "failed");
    assert.equal(breaker.retryAt("one"), until);
    breaker.leave(entries[2], "answered");
    assert.equal(breaker.state(), "closed");
  });

  test("calls of one account that time out open it for this account alone, until others fail, too", () => {
    const clock = createFakeClock();
    const breaker = createBreaker({ failuresToOpen: 3, coolDownMs: COOL_DOWN_MS, clock });
    const timeOut = (accountId: string) => breaker.leave(breaker.enter(accountId), "timed_out");
    for (let count = 0; count < 3; count++) timeOut("one");
    assert.deepEqual(
      ["one", "two"].map((accountId) => breaker.enter(accountId).kind),
      ["refused", "call"],
    );
    assert.deepEqual([breaker.retryAt("two"), breaker.state()], [null, "open"]);
    timeOut("two");
    assert.deepEqual(
      ["one", "two", "three"].map((accountId) => breaker.enter(accountId).kind),
      ["refused", "refused", "refused"],
    );
  });

  test("an answer to another account closes it for the one whose calls time out", () => {
    const clock = createFakeClock();
    const breaker = createBreaker({ failuresToOpen: 3, coolDownMs: COOL_DOWN_MS, clock });
    for (let count = 0; count < 3; count++) breaker.leave(breaker.enter("one"), "timed_out");
    breaker.leave(breaker.enter("two"), "answered");
    assert.equal(breaker.enter("one").kind, "call");
  });

  test("one failure that is no timeout opens it for all", () => {
    const clock = createFakeClock();
    const breaker = createBreaker({ failuresToOpen: 3, coolDownMs: COOL_DOWN_MS, clock });
    for (const outcome of ["timed_out", "failed", "timed_out"] as const)
      breaker.leave(breaker.enter("one"), outcome);
    assert.equal(breaker.enter("two").kind, "refused");
  });
});
