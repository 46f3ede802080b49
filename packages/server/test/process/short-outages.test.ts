/** Two API processes and a worker on a PostgreSQL of their own; each kind of part is killed once, and the database also stops. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../../../../scripts/test/postgres-server.ts";
import { createCluster } from "../support/cluster.ts";
import {
  assertNothingLost,
  createFeed,
  createGraphProject,
  lapseWaits,
  QUESTIONS,
} from "../support/outages.ts";

const HURRIED = fileURLToPath(new URL("../support/hurried-main.ts", import.meta.url));
/** Two seconds for a call of the database and one for its turn, and what two busy cores need. */
const CALL_LIMIT_MS = 5_000;
/** Longer than a call may take. */
const FREEZE_MS = 6_500;

test("killed and stopped one after the other, processes and PostgreSQL lose and double nothing, and answer in time", {
  timeout: 300_000,
}, async (context) => {
  const postgres = await startPostgres({ durable: true });
  context.after(() => postgres.stop());
  const cluster = createCluster(postgres.url, { main: HURRIED });
  context.after(() => cluster.end());
  await cluster.start("api 1", "api");
  await Promise.all([cluster.start("api 2", "api"), cluster.start("worker", "worker")]);
  const projectId = await createGraphProject(cluster.client("api 1"));
  const feed = createFeed(cluster, projectId);
  const endAsking = cluster.keepAsking(projectId, QUESTIONS);

  await feed.more(4);
  await cluster.kill("worker");
  await cluster.start("worker", "worker");
  const duringKill = feed.more(4);
  await cluster.kill("api 1");
  await Promise.all([duringKill, cluster.start("api 1", "api")]);
  const duringCrash = feed.more(4);
  await postgres.restartKilled();
  await duringCrash;
  const duringFreeze = feed.more(4);
  postgres.freeze();
  await delay(FREEZE_MS);
  postgres.thaw();
  await duringFreeze;
  await endAsking();

  assert.deepEqual(cluster.faults, []);
  const slow = cluster.answered.filter(({ ms }) => ms > CALL_LIMIT_MS);
  assert.deepEqual(slow, []);
  const statuses = new Set(cluster.answered.map(({ status }) => status));
  assert.deepEqual([...statuses].sort(), [200, 503], "The stopped database was felt.");
  await lapseWaits(postgres.url);
  await assertNothingLost(cluster.client("api 2"), projectId, feed.jobIds);
  for (const name of ["api 2", "worker"]) {
    const output = await cluster.kill(name);
    const lines = output.split("\n").filter((line) => line.includes('"reason":"connection_lost"'));
    // It was killed and stopped. On a busy machine a minute may lie between, so that these are two outages.
    assert.ok(lines.length === 1 || lines.length === 2, `${name}: ${output}`);
    assert.doesNotMatch(output, /"stack"/);
  }
});
