import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createEmbeddingStatusBoard } from "./embedding-status.ts";
import { createDamageCounter, createOperations, createToolCallCounter } from "./metrics.ts";

/** Of the timer that measures the delay, from one turn to the next. */
const PRECISION_MS = 10;
const BLOCKED_MS = 300;

test("a blocked event loop is in the metrics of the next scrape, not in those of the one after", async () => {
  const operations = createOperations({
    store: {
      ping: async () => undefined,
      readCounts: async () => ({ projects: 1, jobsPending: 0, jobsRunning: 0, jobsFailed: 0 }),
    },
    faults: () => [],
    damagedSegments: createDamageCounter(),
    toolCalls: createToolCallCounter(),
    modelStatus: null,
    embeddingStatus: createEmbeddingStatusBoard([]),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const scrape = async () => {
    await setTimeout(2 * PRECISION_MS);
    const { text } = await operations.metrics();
    const [p99 = Number.NaN, max = Number.NaN] = ["p99", "max"].map((quantile) =>
      Number(new RegExp(`^nodejs_eventloop_lag_${quantile}_seconds (\\S+)$`, "m").exec(text)?.[1]),
    );
    return { p99, max };
  };
  await scrape();
  await setTimeout(2 * PRECISION_MS); // The first turn after a scrape only begins the next measurement.
  const end = performance.now() + BLOCKED_MS;
  while (performance.now() < end);
  const blocked = await scrape();
  const after = await scrape();
  assert.ok(blocked.max >= (0.9 * BLOCKED_MS) / 1000);
  assert.ok(blocked.p99 >= (0.9 * BLOCKED_MS) / 1000, "few turns were measured, one of them long");
  assert.ok(after.max < blocked.max);
});
