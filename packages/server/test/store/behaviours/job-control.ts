import assert from "node:assert/strict";
import type { Project } from "../../../src/domain/project.ts";
import { type Behaviour, commit, ingest, month, rowBytes, type Scenario, visibleWords } from "../scenario.ts";

function cancel({ store }: Scenario, { projectId }: Project, jobId: string, now = 5_000) {
  return store.cancelJob({ projectId, jobId, now });
}

function retry(scenario: Scenario, project: Project, failedJobId: string, limits: object = {}) {
  return scenario.store.retryJob({
    projectId: project.projectId,
    accountId: project.accountId,
    failedJobId,
    jobId: scenario.id("job"),
    now: 6_000,
    ...{ requestsPerMinute: null, tokenLimit: null, maxPendingJobs: null, maxStoredBytes: null, month },
    ...limits,
  });
}

async function fail(scenario: Scenario, project: Project): Promise<void> {
  const held = await scenario.claim();
  await failHeld(scenario, project, held);
}

async function failHeld(
  { store }: Scenario,
  { projectId }: Project,
  held: Awaited<ReturnType<Scenario["claim"]>>,
): Promise<void> {
  const jobIds = held.jobs.map((job) => job.jobId);
  const failure = { jobIds, projectId, leaseToken: held.leaseToken, now: 4_000 };
  await store.failJobs({ ...failure, errorMessage: "broken", retryAt: null });
}

export const jobControlBehaviours: readonly Behaviour[] = [
  [
    "a pending job that is cancelled fails as such, leaves no text behind and lets the next of its document go",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const project = await scenario.project();
      const { jobIds } = await accept(project, [
        ["a", "one"],
        ["a", "two"],
      ]);
      const [first = "", second = ""] = jobIds;
      assert.equal(await cancel(scenario, project, first), "cancelled");
      assert.equal(await cancel(scenario, project, first, 9_000), "cancelled");
      const job = await store.findJob({ projectId: project.projectId, jobId: first });
      assert.deepEqual(
        [job?.status, job?.errorMessage, job?.completedAt, job?.chunksProcessed],
        ["failed", "Cancelled", 5_000, 0],
      );
      assert.deepEqual(await retry(scenario, project, first), { kind: "text_gone" });
      // Two bytes more than "two" has are only there when "one" has gone.
      const full = await accept(project, [["b", "xx"]], { maxStoredBytes: rowBytes("a", "b") + 5 });
      assert.equal(full.outcome.kind, "accepted");
      const held = await claim();
      assert.deepEqual(
        held.jobs.map(({ jobId, text }) => [jobId, text]),
        [[second, "two"]],
      );
    },
  ],
  [
    "jobs of a project are cancelled together, those that wait first, each once, and what was seen before stays",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [["a", "old text"]]);
      await accept(project, [["a", "new words here"]]);
      const held = await claim({ maxJobs: 10 });
      for (const job of held.jobs) assert.equal(await commit(store, held, { job, count: 2 }), "committed");
      await accept(project, [
        ["a", "newest words"],
        ["b", "one"],
        ["c", "two"],
      ]);
      const other = await scenario.project({ accountId: project.accountId });
      await accept(other, [["a", "other words"]]);
      const together = (limit: number) => store.cancelJobs({ projectId, limit, now: 5_000 });
      assert.equal(await together(2), 2);
      const jobs = await store.listJobs({ projectId, page: { limit: 10, offset: 0 } });
      assert.deepEqual(
        jobs.map((job) => [job.sourceDocId, job.status, job.errorMessage]),
        [
          ["c", "failed", "Cancelled"],
          ["b", "failed", "Cancelled"],
          ["a", "pending", null],
          ["a", "running", null],
          ["a", "completed", null],
        ],
      );
      assert.equal(await store.countUnfinishedJobs({ projectId }), 2);
      assert.equal(await together(10), 2);
      assert.equal(await together(10), 0);
      assert.equal(await store.countUnfinishedJobs({ projectId }), 0);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["old", "text"] });
      assert.equal(await store.countUnfinishedJobs({ projectId: other.projectId }), 1);
      for (const job of held.jobs) assert.equal(await commit(store, held, { job, from: 2 }), "lease_lost");
      assert.equal(await store.cancelJobs({ projectId: "none", limit: 10, now: 5_000 }), 0);
    },
  ],
  [
    "a running job that is cancelled loses its lease, and of its document stays what was seen before",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [["a", "old text"]]);
      const { jobIds } = await accept(project, [
        ["a", "new words here"],
        ["b", "fresh words here"],
      ]);
      const [replacing = "", fresh = ""] = jobIds;
      const held = await claim({ maxJobs: 10 });
      for (const job of held.jobs) assert.equal(await commit(store, held, { job, count: 2 }), "committed");
      assert.deepEqual(await visibleWords(store, projectId), { a: ["old", "text"], b: ["fresh", "words"] });
      assert.equal(await cancel(scenario, project, replacing), "cancelled");
      assert.equal(await cancel(scenario, project, fresh), "cancelled");
      assert.deepEqual(await visibleWords(store, projectId), { a: ["old", "text"] });
      for (const job of held.jobs) assert.equal(await commit(store, held, { job, from: 2 }), "lease_lost");
      await failHeld(scenario, project, held);
      const job = await store.findJob({ projectId, jobId: replacing });
      assert.deepEqual([job?.errorMessage, job?.chunksProcessed], ["Cancelled", 2]);
      assert.deepEqual(await store.nextWork({ now: 1e6 }), { readyNow: false });
    },
  ],
  [
    "a cancelled job that went on with what a failed one had made visible leaves that there",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await accept(project, [["a", "one two three"]]);
      const first = await claim();
      await commit(store, first, { count: 1 });
      await failHeld(scenario, project, first);
      const { jobIds } = await accept(project, [["a", "one two three"]]);
      const second = await claim();
      assert.equal(second.jobs[0]?.nextPosition, 1);
      assert.equal(await cancel(scenario, project, jobIds[0] ?? ""), "cancelled");
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one"] });
    },
  ],
  [
    "a job that has ended, and one of another project, are not cancelled",
    async (scenario) => {
      const { accept, claim, store } = scenario;
      const project = await scenario.project();
      const { jobIds } = await accept(project, [
        ["a", "one"],
        ["b", "two"],
      ]);
      const [first = "", second = ""] = jobIds;
      await commit(store, await claim());
      await fail(scenario, project);
      assert.equal(await cancel(scenario, project, first), "completed");
      assert.equal(await cancel(scenario, project, second), "failed");
      const other = await scenario.project();
      assert.equal(await cancel(scenario, other, first), "not_found");
    },
  ],
  [
    "a failed job is retried with the text and metadata that it was accepted with, from where it stopped",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const project = await scenario.project();
      const text = `one two ${"x".repeat(2_000)}`;
      const { jobIds } = await accept(project, [["a", text, { lang: "en" }]]);
      const held = await claim();
      await commit(store, held, { count: 2 });
      await failHeld(scenario, project, held);
      assert.deepEqual(await retry(scenario, project, jobIds[0] ?? ""), { kind: "accepted" });
      const again = await claim();
      const [job] = again.jobs;
      assert.deepEqual(
        [job?.text, job?.metadata, job?.nextPosition, job?.sourceDocId],
        [text, { lang: "en" }, 2, "a"],
      );
      assert.equal(await commit(store, again), "committed");
      const jobs = await store.listJobs({ projectId: project.projectId, page: { limit: 10, offset: 0 } });
      assert.deepEqual(
        jobs.map(({ status, chunksProcessed }) => [status, chunksProcessed]),
        [
          ["completed", 3],
          ["failed", 2],
        ],
      );
    },
  ],
  [
    "a job that failed before its first chunk can be retried until its document is ingested anew",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const project = await scenario.project();
      const { jobIds } = await accept(project, [["a", "one"]]);
      const [failed = ""] = jobIds;
      await fail(scenario, project);
      const both = await Promise.all([retry(scenario, project, failed), retry(scenario, project, failed)]);
      assert.deepEqual(both.map(({ kind }) => kind).sort(), ["accepted", "sent_again"]);
      assert.equal(await commit(store, await claim()), "committed");
      assert.deepEqual(await visibleWords(store, project.projectId), { a: ["one"] });
      assert.deepEqual(await retry(scenario, project, failed), { kind: "text_gone" });
    },
  ],
  [
    "a retry is held to the limits of an ingest, and only failed jobs are retried",
    async (scenario) => {
      const { accept, claim, store } = scenario;
      const project = await scenario.project();
      const { jobIds } = await accept(project, [["a", "one"]]);
      const [jobId = ""] = jobIds;
      assert.deepEqual(await retry(scenario, project, jobId), { kind: "not_failed", status: "pending" });
      await fail(scenario, project);
      const refusals = [
        await retry(scenario, project, jobId, { requestsPerMinute: 0 }),
        await retry(scenario, project, jobId, { tokenLimit: 0 }),
        await retry(scenario, project, jobId, { maxPendingJobs: 0 }),
        await retry(scenario, project, jobId, { maxStoredBytes: rowBytes("a") + 5 }),
        await retry(scenario, project, scenario.id("job")),
        await retry(scenario, { ...project, accountId: scenario.id("account") }, jobId),
      ];
      assert.deepEqual(
        refusals.map(({ kind }) => kind),
        ["rate_limited", "token_limit", "too_many_pending", "too_many_bytes", "not_found", "project_gone"],
      );
      assert.deepEqual((await claim()).jobs, []);
      await retry(scenario, project, jobId);
      await commit(store, await claim());
      assert.deepEqual(await retry(scenario, project, jobId), { kind: "text_gone" });
    },
  ],
];
