import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createScenario } from "../../test/store/scenario.ts";
import { openStore } from "../adapters/database/open-store.ts";
import { errors } from "../domain/errors.ts";
import { newId } from "../domain/ids.ts";
import { createJobQueueService } from "./job-queue.ts";

test("a retry of many jobs leaves the rest to another request after ten seconds, and does not count what others took", async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-queue-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { store } = await openStore({ dataDir, databaseUrl: null });
  context.after(() => store.close());
  const scenario = createScenario(store, "queue");
  const project = { ...(await scenario.project()), projectId: newId("prj") };
  const { projectId, accountId } = project;
  await store.createProject({ project, maxPerAccount: 9 });
  const names = ["a", "b", "c", "d", "e"];
  await scenario.accept(
    project,
    names.map((name) => [name, "x"]),
  );
  const { jobs, leaseToken } = await scenario.claim({ maxJobs: names.length });
  const jobIds = jobs.map(({ jobId }) => jobId);
  await store.failJobs({ jobIds, projectId, leaseToken, now: 1, errorMessage: "broken", retryAt: null });

  let now = 0;
  const tried: string[] = [];
  const service = createJobQueueService({
    store,
    ingestion: {
      // One that takes six seconds; another request has taken the second job.
      async retry(_caller, { jobId }) {
        tried.push(jobId);
        now += 6_000;
        if (tried.length === 2) throw errors.jobNotFound();
        return { jobId, sourceDocId: "", status: "pending", createdAt: now };
      },
    },
    now: () => now,
    onCancelled: () => undefined,
  });
  const caller = { accountId, via: "api_key" } as const;
  const options = { reason: () => null, onRate: undefined };
  const { jobs: accepted, left } = await service.retry(caller, projectId, options);
  assert.deepEqual([accepted.map(({ jobId }) => jobId), left], [tried.slice(0, 1), 3]);
  assert.equal(tried.length, 2);
});
