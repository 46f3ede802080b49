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
