import assert from "node:assert/strict";
import type { Project } from "../../../src/domain/project.ts";
import { listDocuments } from "../../../src/services/document-list.ts";
import { type Behaviour, commit, ingest, month, type Scenario, visibleWords } from "../scenario.ts";

const DAY = 86_400_000;
const jobLifeMs = 90 * DAY;
/** Behaviours accept, commit and fail in the first seconds after the epoch. */
const OLD = jobLifeMs + 10_000;

async function removeOld({ store }: Scenario, now: number): Promise<void> {
  for (let rounds = 0; await store.reclaim({ now, maxPages: 0, jobLifeMs }); rounds++)
    assert.ok(rounds < 500);
}

/** Whether the store still has the jobs. */
const areKept = ({ store }: Scenario, { projectId }: Project, jobIds: readonly string[]) =>
  Promise.all(jobIds.map(async (jobId) => (await store.findJob({ projectId, jobId })) !== null));

/** Accepts and commits one document; the id of its job. */
async function ingestOne(scenario: Scenario, project: Project, [id, text]: readonly [string, string]) {
  const { jobIds } = await scenario.accept(project, [[id, text]]);
  assert.equal(await commit(scenario.store, await scenario.claim()), "committed");
  return jobIds[0] ?? "";
}

/** Commits some words of the next job, then fails it. */
async function failNext(scenario: Scenario, { projectId }: Project, count: number): Promise<void> {
  const held = await scenario.claim();
  if (count > 0) await commit(scenario.store, held, { count });
  const jobIds = held.jobs.map(({ jobId }) => jobId);
  const failure = { jobIds, projectId, leaseToken: held.leaseToken, now: 4_000 };
  await scenario.store.failJobs({ ...failure, errorMessage: "broken", retryAt: null });
}

export const upkeepBehaviours: readonly Behaviour[] = [
  [
    "jobs that ended long ago are removed, but for the last one of each document",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      const jobIds = [
        await ingestOne(scenario, project, ["a", "one"]),
        await ingestOne(scenario, project, ["a", "two"]),
        await ingestOne(scenario, project, ["b", "three"]),
        await ingestOne(scenario, project, ["c", "four"]),
      ];
      await store.deleteDocument({ projectId, sourceDocId: "c", now: 5_000, errorMessage: "deleted" });
      await removeOld(scenario, OLD - 10_000);
      assert.deepEqual(await areKept(scenario, project, jobIds), [true, true, true, true]);
      await removeOld(scenario, OLD + DAY);
      assert.deepEqual(await areKept(scenario, project, jobIds), [false, true, true, false]);
      const { documents } = await listDocuments(store, projectId, { search: null, limit: 9, offset: 0 });
      assert.deepEqual(
        documents.map(({ job }) => job?.jobId),
        jobIds.slice(1, 3),
      );
      assert.deepEqual(await visibleWords(store, projectId), { a: ["two"], b: ["three"] });
      // Kept at first, and no longer the last one of its document.
      jobIds.push(await ingestOne(scenario, project, ["b", "five"]));
      await removeOld(scenario, OLD + DAY + 1);
      assert.deepEqual(await areKept(scenario, project, jobIds), [false, true, true, false, true]);
      await removeOld(scenario, OLD + 2 * DAY + 1);
      assert.deepEqual(await areKept(scenario, project, jobIds), [false, true, false, false, true]);
    },
  ],
  [
    "of the ended jobs of an account the newest are kept, beside those that a document needs, in any project",
    async (scenario) => {
      const { store } = scenario;
      const first = await scenario.project();
      const second = await scenario.project({ accountId: first.accountId });
      const stranger = await scenario.project();
      const jobIds = [
        await ingestOne(scenario, first, ["a", "one"]),
        await ingestOne(scenario, second, ["a", "two"]),
        await ingestOne(scenario, first, ["a", "three"]),
        await ingestOne(scenario, second, ["a", "four"]),
        await ingestOne(scenario, first, ["a", "five"]),
      ];
      const others = [
        await ingestOne(scenario, stranger, ["a", "one"]),
        await ingestOne(scenario, stranger, ["a", "two"]),
      ];
      const keep = async (endedJobs: number) => {
        for (let rounds = 0; await store.reclaim({ now: 9_000, maxPages: 0, endedJobs }); rounds++)
          assert.ok(rounds < 500);
      };
      const kept = async () => [
        ...(await areKept(scenario, first, [jobIds[0] ?? "", jobIds[2] ?? "", jobIds[4] ?? ""])),
        ...(await areKept(scenario, second, [jobIds[1] ?? "", jobIds[3] ?? ""])),
      ];
      await keep(2);
      assert.deepEqual(await kept(), [false, false, true, false, true]);
      assert.deepEqual(await areKept(scenario, stranger, others), [true, true]);
      // The pass is over until the account has many more jobs.
      const again = await ingestOne(scenario, first, ["a", "six"]);
      await keep(0);
      assert.deepEqual(await areKept(scenario, first, [jobIds[4] ?? "", again]), [true, true]);
    },
  ],
  [
    "a job stays as long as its version, which a retry or a later job may go on with",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId, accountId } = project;
      const { jobIds } = await scenario.accept(project, [["a", "one two"]]);
      await failNext(scenario, project, 1);
      await removeOld(scenario, OLD + 10 * DAY);
      assert.deepEqual(await areKept(scenario, project, jobIds), [true]);
      const [failed = ""] = jobIds;
      const limits = {
        requestsPerMinute: null,
        tokenLimit: null,
        maxPendingJobs: null,
        maxStoredBytes: null,
      };
      const retry = {
        projectId,
        accountId,
        failedJobId: failed,
        jobId: scenario.id("job"),
        now: 6_000,
        month,
      };
      assert.equal((await store.retryJob({ ...retry, ...limits })).kind, "accepted");
      const held = await scenario.claim();
      await removeOld(scenario, OLD + 20 * DAY);
      assert.deepEqual(await areKept(scenario, project, [failed, retry.jobId]), [true, true]);
      // What questions saw before the retry is still there after it.
      await store.cancelJob({ projectId, jobId: held.jobs[0]?.jobId ?? "", now: 7_000 });
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one"] });
      await ingest(scenario, project, [["a", "three"]]);
      await removeOld(scenario, OLD + 30 * DAY);
      assert.deepEqual(await areKept(scenario, project, [failed, retry.jobId]), [false, false]);
    },
  ],
  [
    "a large deleted project does not hold up the removal of another account's",
    async (scenario) => {
      const { store } = scenario;
      await removeOld(scenario, OLD + 40 * DAY);
      const projects = [await scenario.project(), await scenario.project()];
      for (const [at, count] of [2_000, 600].entries()) {
        const project = projects[at] ?? assert.fail();
        await scenario.accept(
          project,
          Array.from({ length: count }, (_, place) => [`d${place}`, "one"] as const),
        );
      }
      for (const { projectId } of projects) await store.deleteProject({ projectId });
      const storedBytes = async (project: Project | undefined) =>
        (await store.readAccountUse({ accountId: project?.accountId ?? "", month })).storedBytes;
      const [large, small] = projects;
      for (let rounds = 0; (await storedBytes(small)) > 0; rounds++) {
        assert.ok(rounds < 9);
        assert.equal(await store.reclaim({ now: 9_000, maxPages: 0 }), true);
      }
      assert.ok((await storedBytes(large)) > 0, "The large project was removed first.");
      for (let rounds = 0; await store.reclaim({ now: 9_000, maxPages: 0 }); rounds++) assert.ok(rounds < 20);
      assert.equal(await storedBytes(large), 0);
    },
  ],
];
