/**
 * Three API processes and three workers, which ingest and are asked while one after the other is killed, stopped, started with a clock that is a minute
 * ahead and started without the model, and PostgreSQL is killed and stopped.
 */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { PostgresServer } from "../../../../scripts/test/postgres-server.ts";
import { createCluster } from "./cluster.ts";
import { startModelServer } from "./model-server/model-server.ts";
import { assertNothingLost, createFeed, createGraphProject, QUESTIONS } from "./outages.ts";

/** Of a test: as long as the machine is that slow. */
export const ENDURE_LIMIT_MS = 14 * 60_000;
const LATE_CLOCK = fileURLToPath(new URL("./late-clock-preload.ts", import.meta.url));
/** Ten seconds for a turn, ten for a call of the database (nine when it does not answer), and what busy cores need. */
const CALL_LIMIT_MS = 25_000;
/** Longer than a worker holds a job without a sign of life, and than a call may take. */
const STOP_MS = 30_000;

/** `databaseUrl`: of the server, or of a pooler before it. */
export async function endure(databaseUrl: string, postgres: PostgresServer): Promise<void> {
  const models = await startModelServer({ embeddings: () => null });
  const env = {
    KCS_EMBEDDING_BASE_URL: models.baseUrl,
    KCS_EMBEDDING_MODEL: "vectors",
    KCS_EMBEDDING_DIMENSIONS: "48",
  };
  const withoutModel = Object.fromEntries(Object.keys(env).map((name) => [name, ""]));
  const withLateClock = { NODE_OPTIONS: `--import=${LATE_CLOCK}`, TEST_CLOCK_AHEAD_MS: "60000" };
  const cluster = createCluster(databaseUrl, { env });
  try {
    await cluster.start("api 1", "api");
    const others = ["api 2", "api 3", "worker 1", "worker 2", "worker 3"];
    await Promise.all(others.map((name) => cluster.start(name, name.startsWith("api") ? "api" : "worker")));
    const projectId = await createGraphProject(cluster.client("api 1"));
    const feed = createFeed(cluster, projectId);
    const endAsking = cluster.keepAsking(projectId, QUESTIONS);
    await feed.more(5);
    for (const role of ["worker", "api"] as const) {
      const during = feed.more(5);
      await cluster.kill(`${role} 1`);
      await Promise.all([during, cluster.start(`${role} 1`, role, withLateClock)]);
      const meanwhile = feed.more(6);
      cluster.stop(`${role} 2`);
      await Promise.all([meanwhile, delay(STOP_MS)]);
      cluster.continue(`${role} 2`);
      await cluster.kill(`${role} 3`);
      // An API process without the model says so, which is no fault; so it is not asked.
      if (role === "worker") await cluster.start("worker 3", role, withoutModel);
      await feed.more(5);
    }
    const crash = feed.more(5);
    await postgres.restartKilled();
    await crash;
    const freeze = feed.more(5);
    postgres.freeze();
    await delay(STOP_MS);
    postgres.thaw();
    await freeze;
    await endAsking();
    assert.deepEqual(cluster.faults, []);
    const slow = cluster.answered.filter(({ ms }) => ms > CALL_LIMIT_MS);
    assert.deepEqual(slow, []);
    await assertNothingLost(cluster.client("api 2"), projectId, feed.jobIds);
  } finally {
    await cluster.end();
    await models.close();
  }
}
