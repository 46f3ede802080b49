import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import {
  callsInside,
  closeNativeGate,
  createNativeGate,
  createNativeSection,
  enterGate,
} from "./native-gate.ts";

const LONG_MS = 60_000;

test("a gate is closed only when the calls inside have left, and lets no other in", async () => {
  const gate = createNativeGate();
  const native = createNativeSection([gate]);
  const call = Promise.withResolvers<string>();
  const running = native.run(() => call.promise);
  await setImmediate();
  native.leave(); // The load.
  let isClosed = false;
  const closing = closeNativeGate(gate, LONG_MS).then((isOutside) => {
    isClosed = isOutside;
  });
  await assert.rejects(
    native.run(async () => "late"),
    /is being ended/,
  );
  assert.equal(isClosed, false);
  call.resolve("done");
  assert.equal(await running, "done");
  await closing;
  assert.equal(isClosed, true);
});

test("a gate with a call that does not leave is reported as not free", async () => {
  assert.equal(await closeNativeGate(createNativeGate(), 1), false);
});

test("a call passes the gates of its own thread and of the thread that started it", async () => {
  const [own, outer] = [createNativeGate(0), createNativeGate(0)];
  const native = createNativeSection([own, outer]);
  const call = Promise.withResolvers<void>();
  const running = native.run(() => call.promise);
  assert.deepEqual([callsInside(own), callsInside(outer)], [0, 0], "its native code has not begun");
  await setImmediate();
  assert.deepEqual([callsInside(own), callsInside(outer)], [1, 1]);
  call.resolve();
  await running;
  assert.deepEqual([callsInside(own), callsInside(outer)], [0, 0]);
  enterGate(outer, 2);
  enterGate(outer, -2);
  assert.equal(await closeNativeGate(outer, LONG_MS), true);
  await assert.rejects(native.run(async () => undefined));
});

test("a call that fails before its native code is not counted", async () => {
  const gate = createNativeGate(0);
  const native = createNativeSection([gate]);
  await assert.rejects(
    native.run(() => Promise.reject(new Error("bad input"))),
    /bad input/,
  );
  assert.equal(callsInside(gate), 0);
  await setImmediate();
  assert.equal(callsInside(gate), 0);
});
