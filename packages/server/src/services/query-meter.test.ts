import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { QueryCount } from "../ports/usage-store.ts";
import { createQueryMeter } from "./query-meter.ts";

const ignore = () => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const day = "1970-01-01";

function createMeter(addQueries: (input: { counts: readonly QueryCount[] }) => Promise<void>) {
  return createQueryMeter({ store: { addQueries }, log, now: () => 0, flushMs: 60_000 });
}

test("many questions cost one write, with one count for each account and project", async () => {
  const written: (readonly QueryCount[])[] = [];
  const meter = createMeter(async ({ counts }) => void written.push(counts));
  for (let at = 0; at < 100; at++) meter.count({ accountId: "a", projectId: at % 2 === 0 ? "p" : "q" });
  meter.count({ accountId: "b", projectId: "p" });
  await meter.flush();
  await meter.flush();
  assert.deepEqual(written, [
    [
      { accountId: "a", projectId: "p", day, queries: 50 },
      { accountId: "a", projectId: "q", day, queries: 50 },
      { accountId: "b", projectId: "p", day, queries: 1 },
    ],
  ]);
});

test("counts of a failed write are written with the next ones", async () => {
  const written: (readonly QueryCount[])[] = [];
  let isDown = true;
  const meter = createMeter(async ({ counts }) => {
    if (isDown) throw new Error("down");
    written.push(counts);
  });
  meter.count({ accountId: "a", projectId: "p" });
  await meter.flush();
  isDown = false;
  meter.count({ accountId: "a", projectId: "p" });
  await meter.flush();
  assert.deepEqual(written, [[{ accountId: "a", projectId: "p", day, queries: 2 }]]);
});

test("at most a thousand counts wait for a database that is down", async () => {
  const sizes: number[] = [];
  const meter = createMeter(async ({ counts }) => {
    sizes.push(counts.length);
    throw new Error("down");
  });
  for (let at = 0; at < 2_500; at++) {
    meter.count({ accountId: "a", projectId: `p${at}` });
    await setImmediate(); // The failed write puts its counts back.
  }
  assert.equal(sizes[0], 1_000, "A full map is written before the timer fires.");
  // A write fails with the 1,000 counts that were kept and the one that was added since.
  assert.equal(Math.max(...sizes), 1_001);
  await meter.flush();
  assert.equal(sizes.at(-1), 1_000);
});
