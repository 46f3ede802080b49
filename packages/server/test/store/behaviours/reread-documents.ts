import assert from "node:assert/strict";
import type { Project } from "../../../src/domain/project.ts";
import { type Behaviour, commit, ingest, month, type Scenario, visibleWords } from "../scenario.ts";
import { NOW, start, stateOf, work } from "./rereads.ts";

function reread(
  { store }: Scenario,
  { projectId, accountId }: Project,
  sourceDocIds: readonly string[],
  limits: object = {},
) {
  return store.rereadDocuments({
    ...{ projectId, accountId, sourceDocIds, now: NOW, month },
    ...{ requestsPerMinute: null, tokenLimit: null, maxPendingJobs: null, maxStoredBytes: null },
    ...limits,
  });
}

async function jobsOf({ store }: Scenario, { projectId }: Project): Promise<number> {
  return (await store.listJobs({ projectId, page: { limit: 99, offset: 0 } })).length;
}

export const rereadDocumentBehaviours: readonly Behaviour[] = [
  [
    "indexed documents are read again from their texts, each once however often it is named or asked for",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [
        ["a", "one two"],
        ["b", "three"],
        ["c", "four"],
      ]);
      const outcome = await reread(scenario, project, ["b", "a", "b"]);
      assert.equal(outcome.kind, "accepted");
      assert.deepEqual([outcome.queued, outcome.unread], [2, []]);
      const again = await reread(scenario, project, ["a", "b", "c"]);
      assert.equal(again.kind, "accepted");
      assert.equal(again.queued, 1);
      const jobIdOf = (given: typeof outcome, id: string) =>
        given.jobs.find(({ sourceDocId }) => sourceDocId === id)?.jobId;
      for (const id of ["a", "b"]) assert.equal(jobIdOf(again, id), jobIdOf(outcome, id));
      assert.equal(await jobsOf(scenario, project), 3 + 3);
      assert.deepEqual(await work(scenario), ["b", "a", "c"]);
      assert.deepEqual(await visibleWords(store, projectId), {
        a: ["one", "two"],
        b: ["three"],
        c: ["four"],
      });
      const job = await store.findJob({ projectId, jobId: jobIdOf(outcome, "a") ?? "" });
      assert.equal(job?.status, "completed");
      assert.equal(await store.findReread({ projectId }), null);
    },
  ],
  [
    "a document that is being ingested is answered with its job, one without a whole text with the job that failed",
    async (scenario) => {
      const { store, claim } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [["a", "one"]]);
      const failed = await scenario.accept(project, [
        ["broken", "x"],
        ["a", "new"],
      ]);
      const { leaseToken, jobs } = await claim({ maxJobs: 2 });
      const jobIds = jobs.map(({ jobId }) => jobId);
      await store.failJobs({ jobIds, projectId, leaseToken, now: NOW, errorMessage: "no", retryAt: null });
      const waiting = await scenario.accept(project, [
        ["b", "two"],
        ["b", "three"],
      ]);
      const outcome = await reread(scenario, project, ["a", "b", "broken"]);
      assert.equal(outcome.kind, "accepted");
      assert.deepEqual([outcome.queued, outcome.unread], [1, [{ jobId: failed.jobIds[0] }]]);
      const jobOfB = outcome.jobs.find(({ sourceDocId }) => sourceDocId === "b");
      assert.deepEqual(
        [jobOfB?.jobId, jobOfB?.status, jobOfB?.createdAt],
        [waiting.jobIds[1], "pending", 1_000],
      );
      assert.deepEqual(await work(scenario), ["b", "b", "a"]);
      // Its last ingest has failed, and is still the one to be retried.
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one"], b: ["three"] });
      assert.equal(
        (await store.readDocument({ projectId, sourceDocId: "a" }))?.document.job?.status,
        "failed",
      );
      const retried = await store.retryJob({
        ...{
          projectId,
          accountId: project.accountId,
          failedJobId: failed.jobIds[1] ?? "",
          jobId: "job_again",
        },
        ...{ now: NOW, month, requestsPerMinute: null, tokenLimit: null },
        ...{ maxPendingJobs: null, maxStoredBytes: null },
      });
      assert.equal(retried.kind, "accepted");
      assert.deepEqual(await work(scenario), ["a"]);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["new"], b: ["three"] });
    },
  ],
  [
    "an unknown document is named, and none is read",
    async (scenario) => {
      const project = await scenario.project();
      await ingest(scenario, project, [["a", "one"]]);
      const outcome = await reread(scenario, project, ["a", "x", "y"]);
      assert.deepEqual(outcome, { kind: "not_found", sourceDocIds: ["x", "y"] });
      assert.deepEqual(await work(scenario), []);
    },
  ],
  [
    "the limits of the account hold for documents that are read again",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId, accountId } = project;
      await ingest(scenario, project, [
        ["a", "one"],
        ["b", "two"],
      ]);
      const kind = async (limits: object) => (await reread(scenario, project, ["a", "b"], limits)).kind;
      assert.equal(await kind({ requestsPerMinute: 0 }), "rate_limited");
      assert.equal(await kind({ tokenLimit: 2 }), "token_limit");
      assert.equal(await kind({ maxPendingJobs: 1 }), "too_many_pending");
      assert.equal(await kind({ accountId: "another" }), "project_gone");
      await store.startReembedding({ projectId, accountId, to: { model: "other", dimensions: 2 }, now: NOW });
      assert.equal(await kind({}), "moving");
      await store.cancelReembedding({ projectId, now: NOW });
      assert.equal(await jobsOf(scenario, project), 2);
      assert.equal(await kind({ maxPendingJobs: 2, requestsPerMinute: 1 }), "accepted");
      // Nothing is added, so nothing is refused.
      assert.equal(await kind({ maxPendingJobs: 2, requestsPerMinute: 1 }), "accepted");
      const next = await scenario.accept(project, [], { requestsPerMinute: 1, now: NOW });
      assert.equal(next.outcome.kind, "rate_limited");
    },
  ],
  [
    "what was queued one by one is neither read nor counted twice by a reread that begins after it, or comes to it",
    async (scenario) => {
      const project = await scenario.project();
      const ids = Array.from({ length: 140 }, (_, at) => `d${at}`);
      await ingest(
        scenario,
        project,
        ids.map((id) => [id, "one"]),
      );
      await reread(scenario, project, ["d0", "d1"]);
      await start(scenario, project);
      const total = async () => (await stateOf(scenario, project))?.[3];
      assert.equal(await total(), 140);
      await reread(scenario, project, ["d138", "d139"]);
      assert.equal(await total(), 140);
      const read = await work(scenario);
      assert.deepEqual([read.length, new Set(read).size], [140, 140]);
      assert.deepEqual(await stateOf(scenario, project), ["completed", 140, 0, 140]);
    },
  ],
  [
    "a running reread of the project does not read these documents twice, and its cancellation cancels them",
    async (scenario) => {
      const { store, claim } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [
        ["a", "one"],
        ["b", "two"],
      ]);
      await start(scenario, project);
      await reread(scenario, project, ["a"]);
      assert.equal(await jobsOf(scenario, project), 2 + 2);
      await commit(store, await claim({ now: NOW }), { tokens: 0, now: NOW });
      await reread(scenario, project, ["a"]);
      assert.equal(await store.cancelReread({ projectId, now: NOW }), "cancelled");
      assert.deepEqual(await work(scenario), []);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one"], b: ["two"] });
      await reread(scenario, project, ["b"]);
      assert.deepEqual(await work(scenario), ["b"]);
      assert.equal((await stateOf(scenario, project))?.[0], "cancelled");
    },
  ],
];
