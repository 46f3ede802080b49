import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addFailure, type Failures, type Source } from "./password-limits.ts";

const hourMs = 3_600_000;
const sources: readonly Source[] = ["browser", "address", "stranger"];

/** The times of the attempts of somebody who pauses as given and otherwise tries as often as is admitted. */
function attempt(
  source: Source,
  pauses: readonly { afterAttempts: number; ms: number }[],
): readonly number[] {
  const times: number[] = [];
  let failures: Failures = { clearAt: 0, nextAt: 0 };
  let now = 1_000_000;
  for (const { afterAttempts, ms } of [...pauses, { afterAttempts: 200, ms: 0 }]) {
    for (let i = 0; i < afterAttempts; i++) {
      now = Math.max(now, failures.nextAt);
      failures = addFailure(failures, source, now);
      times.push(now);
    }
    now += ms;
  }
  return times;
}

const mostInAnHour = (times: readonly number[]) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + hourMs).length));

test("at most 100 wrong passwords are admitted in any hour, whatever the pauses", () => {
  const pause = fc.record({ afterAttempts: fc.nat(20), ms: fc.nat(2 * hourMs) });
  fc.assert(
    fc.property(fc.array(fc.array(pause, { maxLength: 6 }), { minLength: 3, maxLength: 3 }), (pauses) => {
      const most = sources.map((source, at) => mostInAnHour(attempt(source, pauses[at] ?? [])));
      assert.ok(most.reduce((sum, count) => sum + count) <= 100, String(most));
    }),
  );
});

test("delays begin after five wrong passwords, double, and end at a limit", () => {
  let failures: Failures = { clearAt: 0, nextAt: 0 };
  let now = 1_000_000;
  const delays: number[] = [];
  for (let i = 0; i < 16; i++) {
    failures = addFailure(failures, "stranger", now);
    delays.push((failures.nextAt - now) / 1000);
    now = failures.nextAt;
  }
  assert.deepEqual(delays.slice(0, 11), [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64]);
  assert.deepEqual(delays.slice(-3), [120, 120, 120]);
});
