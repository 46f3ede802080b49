import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { startWorkerLoop } from "./loop.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
/** The pause of a lane that finds no job. */
const PAUSE_MS = 1_000;

function useClock(context: TestContext): void {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
}

/** Lets lanes do all that needs no timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate();
}

/** As if the pause were over. */
async function passTime(context: TestContext): Promise<void> {
  context.mock.timers.tick(PAUSE_MS);
  await settle();
}

test("a drain does not wait for the pause of a lane that finds nothing just then", async (context) => {
  useClock(context); // Without a tick, a pause never ends.
  const claiming = Promise.withResolvers<void>();
  const claimed = Promise.withResolvers<boolean>();
  const claim = () => {
    claiming.resolve();
    return claimed.promise;
  };
  const loop = startWorkerLoop({
    processing: { processNext: claim },
    merging: { mergeNext: claim },
    lanes: 2,
    idleMs: 60_000,
    onIdle() {},
    log: silent,
    now: Date.now,
  });
  await claiming.promise;
  const drained = loop.drain();
  claimed.resolve(false);
  await drained;
});

test("a drain ends lanes that sleep", async (context) => {
  useClock(context);
  const loop = startWorkerLoop({
    processing: { processNext: async () => false },
    merging: { mergeNext: async () => false },
    lanes: 1,
    idleMs: 60_000,
    onIdle() {},
    log: silent,
    now: Date.now,
  });
  await settle();
  await loop.drain();
});

test("a lane that finds nothing claims again after its pause, or at once when it is woken", async (context) => {
  useClock(context);
  let claims = 0;
  const loop = startWorkerLoop({
    processing: {
      async processNext() {
        claims++;
        return false;
      },
    },
    merging: { mergeNext: async () => false },
    lanes: 1,
    idleMs: 60_000,
    onIdle() {},
    log: silent,
    now: Date.now,
  });
  await settle();
  assert.equal(claims, 1);
  loop.wake();
  await settle();
  assert.equal(claims, 2);
  context.mock.timers.tick(999);
  await settle();
  assert.equal(claims, 2);
  context.mock.timers.tick(1);
  await settle();
  assert.equal(claims, 3);
  await loop.drain();
});

test("a thread whose merge takes long is not idle", async (context) => {
  useClock(context);
  const merged = Promise.withResolvers<boolean>();
  let idleCalls = 0;
  const loop = startWorkerLoop({
    processing: { processNext: async () => false },
    merging: { mergeNext: () => merged.promise },
    lanes: 1,
    idleMs: 1,
    onIdle() {
      idleCalls++;
    },
    log: silent,
    now: Date.now,
  });
  await settle();
  for (let round = 0; round < 3; round++) await passTime(context);
  assert.equal(idleCalls, 0);
  merged.resolve(false);
  await settle();
  await passTime(context);
  assert.ok(idleCalls > 0);
  await loop.drain();
});

test("a thread of which one lane works for long is not idle while the others find nothing", async (context) => {
  useClock(context);
  const worked = Promise.withResolvers<boolean>();
  let claims = 0;
  let idleCalls = 0;
  const loop = startWorkerLoop({
    processing: { processNext: async () => (++claims === 1 ? worked.promise : false) },
    merging: { mergeNext: async () => false },
    lanes: 2,
    idleMs: 1,
    onIdle() {
      idleCalls++;
    },
    log: silent,
    now: Date.now,
  });
  await settle();
  for (let round = 0; round < 3; round++) await passTime(context);
  assert.ok(claims > 3);
  assert.equal(idleCalls, 0);
  worked.resolve(true);
  await settle();
  await passTime(context);
  assert.ok(idleCalls > 0);
  await loop.drain();
});
