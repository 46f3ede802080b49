import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { prefetch } from "./prefetch.ts";

function* numbers(values: readonly (number | null)[]): Generator<number | null> {
  yield* values;
}

test("batches are taken in order, whatever time each takes and wherever the source pauses", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.integer({ min: 0, max: 4 })), { maxLength: 20 }),
      fc.integer({ min: 1, max: 3 }),
      async (values, depth) => {
        let running = 0;
        const prefetcher = prefetch(numbers(values), {
          depth,
          async prepare(turns) {
            running++;
            assert.ok(running <= depth);
            for (let turn = 0; turn < turns; turn++) await setImmediate();
            running--;
            return turns;
          },
        });
        const taken: number[] = [];
        for (let next = await prefetcher.take(); next !== null; next = await prefetcher.take()) {
          taken.push(next);
          prefetcher.fill();
        }
        assert.deepEqual(
          taken,
          values.filter((value) => value !== null),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test("at most `depth` batches are under way, and new ones are started only by `fill`", async () => {
  const started: number[] = [];
  const prefetcher = prefetch(numbers([1, 2, 3, 4]), {
    depth: 2,
    prepare: async (value) => void started.push(value),
  });
  await prefetcher.take();
  await setImmediate();
  assert.deepEqual(started, [1, 2]);
  assert.equal(prefetcher.isEmpty(), false);
  await prefetcher.take();
  assert.equal(prefetcher.isEmpty(), true);
  assert.deepEqual(started, [1, 2]);
  prefetcher.fill();
  await prefetcher.take();
  await setImmediate();
  assert.deepEqual(started, [1, 2, 3, 4]);
});

test("a batch whose preparation fails rejects when it is taken, and later ones cause no unhandled rejection", async () => {
  const fail = async (value: number) => {
    throw new Error(`no ${value}`);
  };
  const prefetcher = prefetch(numbers([1, 2]), { depth: 2, prepare: fail });
  await assert.rejects(prefetcher.take(), /no 1/);
  await setImmediate();
});
