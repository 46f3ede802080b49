import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorkerLoop } from "./loop.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

test("a drain does not wait for the pause of a lane that finds nothing just then", async () => {
  const looking = Promise.withResolvers<void>();
  const found = Promise.withResolvers<boolean>();
  const look = () => {
    looking.resolve();
    return found.promise;
  };
  const loop = startWorkerLoop({
    processing: { processNext: look },
    merging: { mergeNext: look },
    lanes: 2,
    idleMs: 60_000,
    onIdle() {},
    log: silent,
    now: () => 0,
  });
  await looking.promise;
  const began = performance.now();
  const drained = loop.drain();
  found.resolve(false);
  await drained;
  assert.ok(performance.now() - began < 500, "the shortest pause is a second");
});

test("a drain ends lanes that sleep", async () => {
  const loop = startWorkerLoop({
    processing: { processNext: async () => false },
    merging: { mergeNext: async () => false },
    lanes: 1,
    idleMs: 60_000,
    onIdle() {},
    log: silent,
    now: () => 0,
  });
  await new Promise((resolve) => setImmediate(resolve));
  await loop.drain();
});

test("a thread whose merge takes long is not idle", async (context) => {
  const merged = Promise.withResolvers<boolean>();
  let isDone = false;
  let looks = 0;
  const idleAt: boolean[] = [];
  const idle = Promise.withResolvers<void>();
  const loop = startWorkerLoop({
    processing: {
      async processNext() {
        if (++looks === 3) {
          isDone = true;
          merged.resolve(false);
        }
        return false;
      },
    },
    merging: { mergeNext: () => merged.promise },
    lanes: 1,
    idleMs: 1,
    onIdle() {
      idleAt.push(isDone);
      idle.resolve();
    },
    log: silent,
    now: () => 10 * looks,
  });
  context.after(() => loop.drain());
  for (let wake = 0; looks < 5; wake++) {
    assert.ok(wake < 100);
    loop.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await idle.promise;
  assert.ok(!idleAt.includes(false));
});

test("a thread of which one lane works for long is not idle while the others find nothing", async (context) => {
  const worked = Promise.withResolvers<boolean>();
  let looks = 0;
  let isDone = false;
  const idleAt: boolean[] = [];
  const idle = Promise.withResolvers<void>();
  const loop = startWorkerLoop({
    processing: { processNext: async () => (++looks === 1 ? worked.promise : false) },
    merging: { mergeNext: async () => false },
    lanes: 2,
    idleMs: 1,
    onIdle() {
      idleAt.push(isDone);
      idle.resolve();
    },
    log: silent,
    now: () => 10 * looks,
  });
  context.after(() => loop.drain());
  for (let wake = 0; looks < 8; wake++) {
    assert.ok(wake < 100);
    if (looks === 5) {
      isDone = true;
      worked.resolve(true);
    }
    loop.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await idle.promise;
  assert.ok(!idleAt.includes(false));
});
