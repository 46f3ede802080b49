import assert from "node:assert/strict";
import { test } from "node:test";
import { isPaused } from "./pause.ts";

test("a pause is over at its end, and when the clock was set back to before its beginning", () => {
  const pause = { until: 10_000, lengthMs: 2_000 };
  assert.deepEqual(
    [7_999, 8_000, 9_999, 10_000, 20_000].map((now) => isPaused(now, pause)),
    [false, true, true, false, false],
  );
});
