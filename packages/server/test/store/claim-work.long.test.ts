/** What a claim, and the cancelling of many jobs, read does not grow with the jobs that wait. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { claimJobs } from "../../src/adapters/database/operations/claim.ts";
import { cancelJobs } from "../../src/adapters/database/operations/job-control.ts";
import { counting } from "../support/count-work.ts";
import { usePostgres } from "../support/postgres.ts";
import { createScenario, ingest } from "./scenario.ts";

const postgres = usePostgres();

async function open(context: TestContext, databaseUrl: string | null) {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-claim-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const opened = await openStore({ dataDir, databaseUrl });
  context.after(() => opened.store.close());
  const scenario = createScenario(opened.store, "claims");
  return { opened, scenario, project: await scenario.project() };
}

async function measure(context: TestContext, databaseUrl: string | null, waiting: number) {
  const { opened, scenario, project } = await open(context, databaseUrl);
  await ingest(scenario, project, [["a", "one"]]);
  const jobs = Array.from({ length: waiting }, () => ["a", "one"] as const);
  for (let from = 0; from < waiting; from += 50) await scenario.accept(project, jobs.slice(from, from + 50));
  const work = { statements: 0, rows: 0 };
  const db = counting(opened, work);
  for (let claims = 0; claims < 5; claims++) {
    const input = { leaseToken: "t", now: 9_000, leaseUntil: 10_000, maxJobs: 8, maxTextBytes: 1_000 };
    assert.deepEqual(await claimJobs(db, input), { jobs: [], hasEnded: true });
  }
  return work;
}

async function measureCancelling(context: TestContext, databaseUrl: string | null, waiting: number) {
  const { opened, scenario, project } = await open(context, databaseUrl);
  const documents = Array.from({ length: waiting }, (_, at) => [`${at}`, "one"] as const);
  await scenario.accept(project, documents);
  const work = { statements: 0, rows: 0 };
  const { projectId } = project;
  assert.equal(await cancelJobs(counting(opened, work), { projectId, limit: 50, now: 9_000 }), 50);
  return work;
}

for (const kind of ["sqlite", "postgres"] as const) {
  test(`cancelling 50 jobs together on ${kind} takes as much work among four times as many`, async (context) => {
    const url = async () => (kind === "postgres" ? await postgres.create() : null);
    const small = await measureCancelling(context, await url(), 100);
    const large = await measureCancelling(context, await url(), 400);
    context.diagnostic(JSON.stringify([small, large]));
    assert.ok(small.statements < 50, `${small.statements} statements`);
    assert.deepEqual(large, small);
  });

  test(`a claim on ${kind} reads no more for four times as many jobs of one text`, async (context) => {
    const url = async () => (kind === "postgres" ? await postgres.create() : null);
    const small = await measure(context, await url(), 50);
    const large = await measure(context, await url(), 200);
    context.diagnostic(JSON.stringify([small, large]));
    assert.equal(large.statements, small.statements);
    assert.ok(large.rows <= small.rows, `${small.rows}, then ${large.rows} rows`);
  });
}
