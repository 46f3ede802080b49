import assert from "node:assert/strict";
import { test } from "node:test";
import { createThrottle } from "./throttle.ts";

const rule = { max: 3, windowSeconds: 10 };

test("attempts are allowed up to the limit in each window", () => {
  const clock = { now: 0 };
  const throttle = createThrottle(() => clock.now);
  const attempt = () => throttle.attempt({ key: "a", ...rule });
  assert.deepEqual([attempt(), attempt(), attempt()], [0, 0, 0]);
  assert.equal(attempt(), 10);
  clock.now = 9_001;
  assert.equal(attempt(), 1);
  assert.equal(throttle.attempt({ key: "b", ...rule }), 0);
  clock.now = 10_000;
  assert.equal(attempt(), 0);
});

test("refused attempts do not make the wait longer", () => {
  const clock = { now: 0 };
  const throttle = createThrottle(() => clock.now);
  for (let i = 0; i < 100; i++) throttle.attempt({ key: "a", ...rule });
  clock.now = 10_000;
  assert.equal(throttle.attempt({ key: "a", ...rule }), 0);
});

test("a flood of keys evicts the oldest instead of using more memory", () => {
  const throttle = createThrottle(() => 0);
  for (let i = 0; i < 3; i++) throttle.attempt({ key: "first", ...rule });
  assert.ok(throttle.attempt({ key: "first", ...rule }) > 0);
  for (let i = 0; i < 20_000; i++) throttle.attempt({ key: `flood${i}`, ...rule });
  assert.equal(throttle.attempt({ key: "first", ...rule }), 0);
});

test("a window that was begun before the clock was set back ends", () => {
  const clock = { now: 1_000_000 };
  const throttle = createThrottle(() => clock.now);
  for (let i = 0; i < 3; i++) throttle.attempt({ key: "a", ...rule });
  clock.now = 0;
  assert.equal(throttle.attempt({ key: "a", ...rule }), 0);
});
