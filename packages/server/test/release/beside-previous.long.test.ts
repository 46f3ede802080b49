/** Processes of the previous release and of today's code share one PostgreSQL database, as during an upgrade without a pause. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startPostgres } from "../../../../scripts/test/postgres-server.ts";
import { migrations } from "../../src/adapters/database/migrations/index.ts";
import { createCluster } from "../support/cluster.ts";
import { waitFor } from "../support/ingestion.ts";
import {
  assertNothingLost,
  createFeed,
  createGraphProject,
  lapseWaits,
  QUESTIONS,
} from "../support/outages.ts";
import { checkOutReleased } from "../support/released-code.ts";

/** The last one whose processes go on with a database that today's code has migrated. */
const PREVIOUS = { commit: "f6b726d08dc6aa885b271d2b77a14a79077352f4", migrations: 42 };

test("processes of the previous release work on beside today's, under load, and are replaced one by one", {
  timeout: 300_000,
}, async (context) => {
  const released = checkOutReleased(PREVIOUS.commit);
  context.after(() => released.remove());
  const postgres = await startPostgres({ durable: true });
  context.after(() => postgres.stop());
  const cluster = createCluster(postgres.url, {});
  context.after(() => cluster.end());
  const startOld = (name: string, role: "api" | "worker") => cluster.start(name, role, {}, released.main);
  await startOld("old api", "api");
  await startOld("old worker", "worker");
  const old = cluster.client("old api");
  const isNewer = async () => Object((await old.root("GET", "/ready")).json).processes?.database_is_newer;
  assert.notEqual(await isNewer(), true);
  const projectId = await createGraphProject(old);
  const feed = createFeed(cluster, projectId);
  await feed.more(4);
  const endAskingOld = cluster.keepAsking(projectId, QUESTIONS);

  const duringMigration = feed.more(12);
  await cluster.start("api", "api");
  const endAsking = cluster.keepAsking(projectId, QUESTIONS);
  await cluster.start("worker", "worker");
  await duringMigration;
  await feed.more(12);
  await waitFor("the notice of the newer database", async () => ((await isNewer()) === true ? true : null));
  await feed.more(4);
  await endAskingOld();
  assert.equal((await old.root("GET", "/ready")).status, 200);
  assert.equal(cluster.answered.findLast(({ member }) => member === "old api")?.status, 200);
  // Jobs that the old worker holds are taken over.
  const duringReplacement = feed.more(4);
  const workerOutput = await cluster.kill("old worker");
  await cluster.kill("old api");
  await duringReplacement;
  await endAsking();

  assert.deepEqual(cluster.faults, []);
  assert.ok(
    migrations.length > PREVIOUS.migrations,
    "There is nothing that the previous release does not know.",
  );
  assert.doesNotMatch(workerOutput, /"level":"error"/);
  await lapseWaits(postgres.url);
  await assertNothingLost(cluster.client("api"), projectId, feed.jobIds);
});
