import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createScenario } from "../../test/store/scenario.ts";
import { openStore } from "../adapters/database/open-store.ts";
import { errors } from "../domain/errors.ts";
import { newId } from "../domain/ids.ts";
import type { Project } from "../domain/project.ts";
import type { OpenFailure } from "../ports/job-queue-store.ts";
import type { CancelRereadOutcome } from "../ports/reread-store.ts";
import { type Store, StoreUnavailableError } from "../ports/store.ts";
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
    log: { warn: () => assert.fail("nothing is logged") },
  });
  const caller = { accountId, via: "api_key" } as const;
  const options = { reason: () => null, onRate: undefined };
  const { jobs: accepted, left } = await service.retry(caller, projectId, options);
  assert.deepEqual([accepted.map(({ jobId }) => jobId), left], [tried.slice(0, 1), 3]);
  assert.equal(tried.length, 2);
});

test("a database that fails meanwhile leaves what was retried or cancelled before, and the answer says so", async () => {
  const project = { projectId: newId("prj"), accountId: "acc_of_the_owner" } as Project; // The fields that are read.
  const { projectId, accountId } = project;
  const busy = () => Promise.reject(new StoreUnavailableError("busy", "It is locked.", undefined));
  const steps: (() => Promise<number>)[] = [async () => 50, async () => 50, busy];
  let stopped = 0;
  let reread: CancelRereadOutcome = "none";
  const logged: string[] = [];
  const store: Partial<Store> = {
    findProject: async () => project,
    listOpenFailures: async () => ({ jobs: [{ jobId: "a" }, { jobId: "b" }] as OpenFailure[], total: 2 }), // Likewise.
    cancelReread: async () => reread,
    cancelJobs: () => steps.shift()?.() ?? busy(),
  };
  let retried = 0;
  const service = createJobQueueService({
    store: store as Store, // Has the methods that are called.
    ingestion: {
      retry: async (_caller, { jobId }) =>
        retried++ > 0 ? busy() : { jobId, sourceDocId: "", status: "pending", createdAt: 0 },
    },
    now: () => 0,
    onCancelled: () => stopped++,
    log: { warn: (event) => void logged.push(event) },
  });
  const caller = { accountId, via: "api_key" } as const;
  const { jobs, left } = await service.retry(caller, projectId, { reason: () => null, onRate: undefined });
  assert.deepEqual([jobs.map(({ jobId }) => jobId), left], [["a"], 1]);
  await assert.rejects(service.cancel(caller, projectId), {
    reason: "busy",
    message: "Cancelled so far: 100 jobs. It is locked.",
  });
  await assert.rejects(service.cancel(caller, projectId), { reason: "busy", message: "It is locked." });
  reread = "cancelled";
  steps.push(async () => 1);
  await assert.rejects(service.cancel(caller, projectId), {
    message: "Cancelled so far: the reread and 1 job. It is locked.",
  });
  assert.deepEqual([stopped, logged], [3, ["retry_ended"]]);
});
