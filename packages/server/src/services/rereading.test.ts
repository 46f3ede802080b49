import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceErrorKind } from "../domain/errors.ts";
import { ServiceError } from "../domain/errors.ts";
import { newId } from "../domain/ids.ts";
import { CLOSED_SIGN_UP_LIMITS } from "../domain/limits.ts";
import type { Project } from "../domain/project.ts";
import type { StartRereadOutcome } from "../ports/reread-store.ts";
import { createRereadingService } from "./rereading.ts";

const CALLER = { accountId: "account", via: "api_key" } as const;

function createScene(outcome: StartRereadOutcome, mode: Project["mode"] = "kg_vector", isRetried = false) {
  const project = { projectId: newId("prj"), accountId: CALLER.accountId, mode } as Project; // The fields that are read.
  const asked: string[] = [];
  const service = createRereadingService({
    store: {
      findProject: async () => project,
      async startReread({ month, maxPendingJobs }) {
        asked.push(`${month} ${maxPendingJobs}`);
        return outcome;
      },
      async rereadDocuments({ sourceDocIds }) {
        asked.push(sourceDocIds.join());
        if (outcome.kind !== "accepted") return outcome;
        return { ...outcome, jobs: [], queued: 0, unread: [{ jobId: "job_failed" }] };
      },
      listUnfinishedJobs: async () => [
        { jobId: "job_other", sourceDocId: "b", status: "running", createdAt: 0 },
      ],
      findReread: async () => null,
      cancelReread: async () => "none",
    },
    limits: { ...CLOSED_SIGN_UP_LIMITS, pendingJobs: 7 },
    ingestion: {
      async retry(_caller, { jobId }, options) {
        asked.push(`${jobId} ${options?.isCounted}`);
        if (isRetried) throw new ServiceError("conflict", "It has not failed.");
        return { jobId: "job_new", sourceDocId: "b", status: "pending", createdAt: 0 };
      },
    },
    log: { warn: () => assert.fail("nothing is logged") },
    requestsPerMinute: null,
    tokenLimit: null,
    now: () => Date.UTC(2031, 4, 9),
    onAccepted: () => asked.push("woken"),
    onCancelled: () => asked.push("cancelled"),
  });
  return { project, service, asked };
}

test("a start has the limits of the account, and wakes the worker", async () => {
  const { service, project, asked } = createScene({ kind: "accepted" });
  await service.start(CALLER, project.projectId);
  assert.deepEqual(asked, ["2031-05 7", "woken"]);
});

const refusals: readonly (readonly [StartRereadOutcome, ServiceErrorKind])[] = [
  [{ kind: "moving" }, "conflict"],
  [{ kind: "project_gone" }, "not_found"],
  [{ kind: "token_limit" }, "forbidden"],
  [{ kind: "rate_limited", retryAfterMs: 1_000 }, "too_many_requests"],
  [{ kind: "too_many_pending" }, "too_many_requests"],
];
for (const [outcome, kind] of refusals) {
  test(`a start that the store refuses as "${outcome.kind}" is an error, and wakes nothing`, async () => {
    const { service, project, asked } = createScene(outcome);
    await assert.rejects(service.start(CALLER, project.projectId), { kind });
    assert.deepEqual(asked, ["2031-05 7"]);
  });
}

test("documents that are all to be retried count as one request, and are answered in the order given", async () => {
  const { service, project, asked } = createScene({ kind: "accepted" });
  const jobs = await service.startSome(CALLER, project.projectId, () => ["a", "b", "b"], undefined);
  assert.deepEqual(
    jobs.map(({ jobId }) => jobId),
    ["job_new"],
  );
  assert.deepEqual(asked, ["a,b,b", "job_failed true"]);
});

test("a document that another request retries meanwhile is answered with that job", async () => {
  const { service, project } = createScene({ kind: "accepted" }, "kg_vector", true);
  const jobs = await service.startSome(CALLER, project.projectId, () => ["a", "b"], undefined);
  assert.deepEqual(
    jobs.map(({ jobId }) => jobId),
    ["job_other"],
  );
});

test("a project without a graph and one of another account never reach the store's reread", async () => {
  const flat = createScene({ kind: "accepted" }, "vector_only");
  await assert.rejects(flat.service.start(CALLER, flat.project.projectId), { kind: "conflict" });
  const unasked = () => assert.fail("the ids are not read");
  await assert.rejects(flat.service.startSome(CALLER, flat.project.projectId, unasked, undefined), {
    kind: "conflict",
  });
  const { service, project, asked } = createScene({ kind: "accepted" });
  const other = { ...CALLER, accountId: "other" };
  for (const call of [service.start, service.get, service.cancel])
    await assert.rejects(call(other, project.projectId), { kind: "forbidden" });
  assert.deepEqual([...flat.asked, ...asked], []);
});

test("a cancellation without a reread is an error, and stops nothing", async () => {
  const { service, project, asked } = createScene({ kind: "accepted" });
  await assert.rejects(service.cancel(CALLER, project.projectId), { kind: "conflict" });
  assert.deepEqual(asked, []);
});
