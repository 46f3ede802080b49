import assert from "node:assert/strict";
import { test } from "node:test";
import type { QueryCount } from "../ports/usage-store.ts";
import { countingQueries, createQueryMeter } from "./query-meter.ts";

const ignore = () => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const day = "1970-01-01";

function createMeter(addQueries: (input: { counts: readonly QueryCount[] }) => Promise<void>) {
  return createQueryMeter({ store: { addQueries }, log, now: () => 0, flushMs: 60_000 });
}

test("many questions are one write, with a count for each project and account", async () => {
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

test("counts that cannot be written are written the next time, with those that came meanwhile", async () => {
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

test("no more than a thousand counts wait, whatever the database does", async () => {
  let most = 0;
  const meter = createMeter(async ({ counts }) => {
    most = Math.max(most, counts.length);
    throw new Error("down");
  });
  for (let at = 0; at < 2_500; at++) meter.count({ accountId: "a", projectId: `p${at}` });
  await meter.flush();
  assert.ok(most <= 2_500);
  await meter.flush();
  const last = most;
  most = 0;
  await meter.flush();
  assert.ok(last >= 1_000 && most <= 1_000, `${most} waited`);
});

test("only a question that was answered is counted", async () => {
  const counted: unknown[] = [];
  const answer = { strategyUsed: "hybrid", summary: "", entities: [], relationships: [], chunks: [] };
  const queries = countingQueries(
    {
      ask: async (_caller, projectId) => {
        if (projectId === "refused") throw new Error("refused");
        return answer;
      },
    },
    { count: (use) => void counted.push(use) },
  );
  const question = () => ({ query: "?", mode: "static" as const, topK: 1, filter: null, cites: false });
  const caller = { accountId: "a", via: "api_key" } as const;
  assert.equal(await queries.ask(caller, "p", question), answer);
  await assert.rejects(queries.ask(caller, "refused", question));
  assert.deepEqual(counted, [{ accountId: "a", projectId: "p" }]);
});
