import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type FaultKind, ProviderFault } from "../../src/adapters/models/language/provider-fault.ts";
import { pauseMs, RetriesExhaustedError, withRetries } from "../../src/adapters/models/language/retry.ts";
import { readRetryAfter } from "../../src/adapters/models/language/retry-after.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";

const never = new AbortController().signal;

/** Fails with these faults, one after the other, and then succeeds. */
function failing(faults: readonly Error[]) {
  const left = [...faults];
  return async () => {
    const fault = left.shift();
    if (fault !== undefined) throw fault;
    return "done";
  };
}

const run = (attempt: () => Promise<string>, clock: FakeClock, deadlineAt = Number.POSITIVE_INFINITY) =>
  withRetries(attempt, { maxRetries: 3, clock, signal: never, deadlineAt });

const faultOf = (kind: FaultKind, retryAfterMs: number | null = null) =>
  new ProviderFault(kind, kind, { retryAfterMs });

describe("retries", () => {
  test("three, of any fault but a refusal, with pauses that double and are half chance", async () => {
    const clock = createFakeClock();
    const faults = [faultOf("timeout"), faultOf("unavailable"), faultOf("rate_limited")];
    assert.deepEqual(await run(failing(faults), clock), { result: "done", retries: 3 });
    assert.deepEqual(clock.pauses, [375, 750, 1_500]);
    await assert.rejects(run(failing([...faults, faultOf("timeout")]), clock), (error) => {
      assert(error instanceof RetriesExhaustedError);
      assert.deepEqual([error.retries, error.fault.kind], [3, "timeout"]);
      return true;
    });
  });

  test("none of a refusal, nor of an error that is no provider's fault", async () => {
    const clock = createFakeClock();
    await assert.rejects(run(failing([faultOf("refused")]), clock), {
      name: "RetriesExhaustedError",
      retries: 0,
    });
    await assert.rejects(run(failing([new RangeError("a bug")]), clock), RangeError);
    assert.deepEqual(clock.pauses, []);
  });

  test("a provider that asks to wait is given what it asks for, up to a minute", async () => {
    const clock = createFakeClock();
    const faults = [faultOf("rate_limited", 7_000), faultOf("unavailable", 3_600_000)];
    await run(failing(faults), clock);
    assert.deepEqual(clock.pauses, [7_125, 60_125]);
  });

  test("a pause that would outlast the deadline is not begun", async () => {
    const clock = createFakeClock();
    const faults = [faultOf("rate_limited", 5_000)];
    await assert.rejects(run(failing(faults), clock, clock.now() + 5_000), { retries: 0 });
    assert.deepEqual(clock.pauses, []);
  });

  test("a caller that gives up during a pause ends it with its reason", async () => {
    const giving = new AbortController();
    const attempt = async () => {
      giving.abort(new Error("given up"));
      throw faultOf("timeout");
    };
    const options = { maxRetries: 3, clock: createFakeClock(), deadlineAt: Number.POSITIVE_INFINITY };
    await assert.rejects(withRetries(attempt, { ...options, signal: giving.signal }), /given up/);
  });

  test("a pause is between half of the back-off and all of it, whatever chance says", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.double({ min: 0, max: 0.999, noNaN: true }), (retries, random) => {
        const full = Math.min(8_000, 500 * 2 ** retries);
        const pause = pauseMs({ retryAfterMs: null }, retries, random);
        assert(pause >= full / 2 && pause <= full);
      }),
    );
  });
});

describe("Retry-After", () => {
  const now = Date.UTC(2031, 3, 21, 12);
  const read = (value: string) => readRetryAfter(new Headers({ "retry-after": value }), now);

  test("is read in seconds and as a date; a past date is no wait", () => {
    assert.equal(read("20"), 20_000);
    assert.equal(read("0.5"), 500);
    assert.equal(read("Mon, 21 Apr 2031 12:00:30 GMT"), 30_000);
    assert.equal(read("Mon, 21 Apr 2031 11:00:00 GMT"), 0);
    assert.equal(readRetryAfter(new Headers({ "retry-after-ms": "250", "retry-after": "1" }), now), 250);
  });

  test("that cannot be read asks for nothing", () => {
    for (const value of ["-5", "soon", "1e9", "", "NaN", "2031"]) {
      const asked = read(value);
      assert(asked === null || value === "2031", `${value}: ${asked}`);
    }
    assert.equal(readRetryAfter(new Headers(), now), null);
  });
});
