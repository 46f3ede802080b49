import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CallOutcome, createBreaker } from "../../src/adapters/models/language/breaker.ts";
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

  const create = () => {
    const clock = createFakeClock();
    const breaker = createBreaker({ failuresToOpen: 3, coolDownMs: COOL_DOWN_MS, clock });
    const call = (accountId: string, outcome: CallOutcome) =>
      breaker.leave(breaker.enter(accountId), outcome);
    const kinds = (...accountIds: readonly string[]) => accountIds.map((id) => breaker.enter(id).kind);
    return { clock, breaker, call, kinds };
  };

  test("opens for one account alone, however many others it has opened for", () => {
    const { breaker, call, kinds } = create();
    for (let count = 0; count < 3; count++) call("one", "failed");
    assert.deepEqual(kinds("one", "two"), ["refused", "call"]);
    assert.deepEqual([breaker.retryAt("two"), breaker.state()], [null, "open"]);
    for (let count = 0; count < 3; count++) call("two", "failed");
    assert.deepEqual(kinds("one", "two", "three"), ["refused", "refused", "call"]);
  });

  test("stays closed for an account some of whose calls are answered", () => {
    const { call, kinds } = create();
    for (const outcome of ["failed", "failed", "answered", "failed", "failed"] as const) call("one", outcome);
    assert.deepEqual(kinds("one"), ["call"]);
  });

  test("an answer to another account lets one probe of it through, whose failure keeps nobody else out", () => {
    const { clock, breaker, call, kinds } = create();
    for (let count = 0; count < 3; count++) call("one", "failed");
    for (let round = 0; round < 5; round++) {
      call("two", "answered");
      assert.equal(breaker.state(), "closed");
      call("one", "failed");
      assert.deepEqual(kinds("one", "two"), ["refused", "call"]);
    }
    assert.equal(breaker.retryAt("one"), clock.now() + 32 * COOL_DOWN_MS);
    call("two", "answered");
    call("one", "answered");
    assert.deepEqual(kinds("one", "one"), ["call", "call"]);
  });

  test("a provider that is not reached is kept from all accounts, whoever called it", () => {
    const { clock, breaker, call, kinds } = create();
    for (let count = 0; count < 3; count++) call("one", "unreachable");
    assert.deepEqual(kinds("one", "two"), ["refused", "refused"]);
    clock.advance(COOL_DOWN_MS);
    call("one", "unreachable");
    assert.equal(breaker.retryAt("two"), clock.now() + 2 * COOL_DOWN_MS);
  });

  test("a probe that hangs keeps others out for one cool-down, and one that fails has reached the provider", () => {
    const { clock, call, kinds, breaker } = create();
    for (let count = 0; count < 3; count++) call("one", "unreachable");
    clock.advance(COOL_DOWN_MS);
    const hanging = breaker.enter("one");
    assert.deepEqual([hanging.kind, ...kinds("two")], ["probe", "refused"]);
    clock.advance(COOL_DOWN_MS);
    assert.deepEqual(kinds("two"), ["probe"]);
    breaker.leave(hanging, "failed");
    assert.deepEqual(kinds("one", "two", "three"), ["call", "call", "call"]);
  });

  test("forgets the accounts that failed longest ago", () => {
    const { call, kinds } = create();
    const fail = (accountId: string) => {
      call(accountId, "failed");
      call("another", "answered");
    };
    for (const accountId of ["old", "old", "new"]) fail(accountId);
    for (let count = 0; count < 999; count++) fail(`account ${count}`);
    for (const accountId of ["new", "new", "old"]) fail(accountId);
    assert.deepEqual(kinds("old", "new"), ["call", "probe"]);
  });
});
