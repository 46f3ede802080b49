import assert from "node:assert/strict";
import type { LeftToOthers } from "../../../src/domain/service-process.ts";
import { type Behaviour, commit, LONG_AGO, leaseMs } from "../scenario.ts";

export const queueBehaviours: readonly Behaviour[] = [
  [
    "jobs of one document run one after the other, in the order accepted",
    async ({ store, project, accept, claim }) => {
      const made = await project();
      await accept(made, [
        ["a", "one"],
        ["b", "other"],
        ["a", "two"],
        ["a", "three"],
      ]);
      const first = await claim({ maxJobs: 10 });
      assert.deepEqual(
        first.jobs.map((job) => job.text),
        ["one", "other"],
      );
      assert.deepEqual((await claim()).jobs, []);
      assert.equal(await commit(store, first, { job: first.jobs[0]! }), "committed");
      const second = await claim({ maxJobs: 10 });
      assert.deepEqual(
        second.jobs.map((job) => job.text),
        ["two"],
      );
      const failed = { projectId: made.projectId, now: 5_000, errorMessage: "no", retryAt: null };
      const jobIds = second.jobs.map((job) => job.jobId);
      await store.failJobs({ ...failed, jobIds, leaseToken: second.leaseToken });
      const third = await claim({ maxJobs: 10 });
      assert.deepEqual(
        third.jobs.map((job) => job.text),
        ["three"],
      );
    },
  ],
  [
    "accounts take turns, however many jobs one of them has",
    async ({ project, accept, claim }) => {
      const busy = await project();
      const quiet = await project();
      const many = Array.from({ length: 6 }, (_, index) => [`d${index}`, "x"] as const);
      await accept(busy, many);
      await accept(quiet, many.slice(0, 2));
      const served: string[] = [];
      for (const _ of many) served.push((await claim()).jobs[0]?.projectId ?? "none");
      const turns = served.slice(0, 4);
      assert.equal(turns.filter((projectId) => projectId === busy.projectId).length, 2);
      assert.notEqual(turns[0], turns[1]);
      assert.notEqual(turns[2], turns[3]);
      assert.deepEqual(served.slice(4), [busy.projectId, busy.projectId]);
    },
  ],
  [
    "projects of an account take turns, however many jobs one of them has",
    async ({ project, accept, claim, id }) => {
      const accountId = id("account");
      const [busy, quiet, last] = [
        await project({ accountId }),
        await project({ accountId }),
        await project({ accountId }),
      ];
      const many = Array.from({ length: 6 }, (_, index) => [`d${index}`, "x"] as const);
      await accept(busy, many);
      for (const each of [quiet, last]) await accept(each, many.slice(0, 2));
      const claimFour = async (left: LeftToOthers | null) => {
        const served = new Map<string, number>();
        for (let claims = 0; claims < 4; claims++) {
          const { projectId = "none" } = (await claim({ left })).jobs[0] ?? {};
          served.set(projectId, (served.get(projectId) ?? 0) + 1);
        }
        return [busy, quiet, last].map(({ projectId }) => served.get(projectId) ?? 0);
      };
      const spaces = [{ model: "none such", dimensions: 1 }];
      assert.deepEqual((await claimFour(null)).toSorted(), [1, 1, 2]);
      assert.deepEqual((await claimFour({ spaces, readsWithModel: false })).toSorted(), [1, 1, 2]);
      assert.deepEqual(await claimFour(null), [2, 0, 0]);
    },
  ],
  [
    "a claim takes jobs of one project, within its limits on their number and text",
    async ({ project, accept, claim, id }) => {
      const accountId = id("account");
      const made = await project({ accountId });
      const other = await project({ accountId });
      await accept(made, [
        ["a", "x".repeat(30)],
        ["b", "x".repeat(30)],
        ["c", "x".repeat(30)],
      ]);
      await accept(other, [["a", "y"]]);
      const long = await claim({ maxJobs: 10, maxTextBytes: 10 });
      assert.deepEqual(
        long.jobs.map((job) => job.sourceDocId),
        ["a"],
      );
      const turn = await claim({ maxJobs: 10 });
      assert.deepEqual(
        turn.jobs.map((job) => job.projectId),
        [other.projectId],
      );
      const two = await claim({ maxJobs: 10, maxTextBytes: 61 });
      assert.deepEqual(
        two.jobs.map((job) => job.sourceDocId),
        ["b", "c"],
      );
    },
  ],
  [
    "a claim leaves out the accounts that it is told to, whoever's turn it is",
    async ({ store, project, accept }) => {
      const [busy, other] = [await project(), await project()];
      await accept(busy, [["a", "x"]]);
      await accept(other, [["b", "y"]]);
      const limits = { now: 9_000, leaseUntil: 10_000, maxJobs: 1, maxTextBytes: 1_000 };
      const claimExcept = async (...exceptAccounts: readonly string[]) => {
        const { jobs } = await store.claimJobs({ ...limits, leaseToken: "t", exceptAccounts });
        return jobs.map(({ sourceDocId }) => sourceDocId);
      };
      assert.deepEqual(await claimExcept(busy.accountId, other.accountId), []);
      assert.deepEqual(await claimExcept(busy.accountId), ["b"]);
      assert.deepEqual(await claimExcept(other.accountId), ["a"]);
    },
  ],
  [
    "a claim completes no more jobs without work than it may take, and tells that it has",
    async ({ store, project, accept, claim }) => {
      const made = await project();
      const ids = ["a", "b", "c", "d", "e"];
      await accept(
        made,
        ids.map((id) => [id, "one"] as const),
      );
      for (let claimed = await claim(); claimed.jobs.length > 0; claimed = await claim())
        await commit(store, claimed);
      const { jobIds } = await accept(
        made,
        ids.map((id) => [id, "one"] as const),
      );
      const completed = async () => {
        const jobs = await Promise.all(
          jobIds.map((jobId) => store.findJob({ projectId: made.projectId, jobId })),
        );
        return jobs.filter((job) => job?.status === "completed").length;
      };
      const input = { leaseToken: "t", now: 9_000, leaseUntil: 10_000, maxJobs: 2, maxTextBytes: 1_000 };
      const counts: number[] = [];
      for (let hasEnded = true; hasEnded; ) {
        ({ hasEnded } = await store.claimJobs(input));
        counts.push(await completed());
      }
      assert.deepEqual(counts, [2, 4, 5, 5]);
    },
  ],
  [
    "a job whose lease has lapsed is taken up again where it stopped, and its first holder can write no more",
    async ({ store, project, accept, claim }) => {
      const made = await project();
      const { jobIds } = await accept(made, [["a", "one two three"]]);
      const first = await claim({ now: 10_000 });
      assert.equal(first.jobs[0]?.attempts, 0);
      assert.equal(await commit(store, first, { count: 1, now: 11_000 }), "committed");
      assert.deepEqual((await claim({ now: 11_000 + leaseMs - 1 })).jobs, []);
      const second = await claim({ now: 11_000 + leaseMs });
      assert.equal(second.jobs[0]?.nextPosition, 1);
      assert.equal(second.jobs[0]?.attempts, 1);
      assert.equal(await commit(store, first, { from: 1 }), "lease_lost");
      assert.deepEqual(await store.renewLease({ leaseToken: first.leaseToken, leaseUntil: 1e9 }), []);
      assert.equal(await commit(store, second, { now: 80_000 }), "committed");
      const job = await store.findJob({ projectId: made.projectId, jobId: jobIds[0] ?? "" });
      assert.deepEqual(
        [job?.status, job?.chunksProcessed, job?.startedAt, job?.completedAt],
        ["completed", 3, 10_000, 80_000],
      );
    },
  ],
  [
    "a renewed lease does not lapse, and all leases lapse at a start that is alone",
    async ({ store, project, accept, claim }) => {
      const { jobIds } = await accept(await project(), [["a", "one"]]);
      const held = await claim({ now: 10_000 });
      const { leaseToken } = held;
      assert.deepEqual(await store.renewLease({ leaseToken, leaseUntil: 500_000 }), jobIds);
      assert.deepEqual((await claim({ now: 499_999 })).jobs, []);
      assert.deepEqual(await store.nextWork({ now: 499_999 }), { readyNow: false });
      assert.equal(await store.expireAllLeases({ now: LONG_AGO }), 1);
      assert.equal((await claim({ now: 10_001 })).jobs.length, 1);
    },
  ],
  [
    "renewing a lease tells which of its jobs were taken away meanwhile",
    async ({ store, project, accept, claim }) => {
      const { projectId, ...made } = await project();
      const { jobIds } = await accept({ projectId, ...made }, [
        ["a", "one"],
        ["b", "two"],
        ["c", "three"],
      ]);
      const { leaseToken } = await claim({ now: 10_000, maxJobs: 10 });
      const renewed = async () => [...(await store.renewLease({ leaseToken, leaseUntil: 20_000 }))].sort();
      assert.deepEqual(await renewed(), [...jobIds].sort());
      await store.cancelJob({ projectId, jobId: jobIds[1] ?? "", now: 11_000 });
      await store.deleteDocument({ projectId, sourceDocId: "c", now: 11_000, errorMessage: "deleted" });
      assert.deepEqual(await renewed(), [jobIds[0]]);
      await store.deleteProject({ projectId });
      assert.deepEqual(await renewed(), []);
    },
  ],
  [
    "a job that is given back is ready at once and has not used up a try",
    async ({ store, project, accept, claim }) => {
      const made = await project();
      const { jobIds } = await accept(made, [["a", "one two"]]);
      const held = await claim({ now: 10_000 });
      await commit(store, held, { count: 1, now: 10_500 });
      await store.releaseJobs({ leaseToken: held.leaseToken });
      assert.equal((await store.nextWork({ now: 10_501 })).readyNow, true);
      const again = await claim({ now: 10_501 });
      assert.deepEqual([again.jobs[0]?.attempts, again.jobs[0]?.nextPosition], [0, 1]);
      const job = await store.findJob({ projectId: made.projectId, jobId: jobIds[0] ?? "" });
      assert.deepEqual([job?.status, job?.startedAt], ["running", 10_000]);
    },
  ],
  [
    "a job to be tried again waits for its time, counts the try and keeps its chunks",
    async ({ store, project, accept, claim }) => {
      const made = await project();
      const { jobIds } = await accept(made, [["a", "one two"]]);
      const held = await claim({ now: 10_000 });
      await commit(store, held, { count: 1, now: 10_500 });
      const failure = { jobIds, projectId: made.projectId, leaseToken: held.leaseToken, now: 11_000 };
      await store.failJobs({ ...failure, errorMessage: "not now", retryAt: 15_000 });
      assert.equal(await commit(store, held, { from: 1 }), "lease_lost");
      assert.deepEqual(await store.nextWork({ now: 14_999 }), { readyNow: false });
      assert.deepEqual((await claim({ now: 14_999 })).jobs, []);
      const again = await claim({ now: 15_000 });
      assert.deepEqual([again.jobs[0]?.attempts, again.jobs[0]?.nextPosition], [1, 1]);
      assert.equal(await commit(store, again), "committed");
    },
  ],
  [
    "work is ready while some job waits to be claimed, whoever's it is",
    async ({ store, project, accept, claim }) => {
      const isReady = async () => (await store.nextWork({ now: 2_000 })).readyNow;
      assert.equal(await isReady(), false);
      for (const _ of [1, 2]) await accept(await project(), [["a", "one"]]);
      assert.equal(await isReady(), true);
      await claim();
      assert.equal(await isReady(), true);
      await claim();
      assert.equal(await isReady(), false);
    },
  ],
  [
    "the counts tell pending, running and failed jobs apart",
    async ({ store, project, accept, claim }) => {
      const before = await store.readCounts();
      const made = await project();
      await accept(made, [
        ["a", "one"],
        ["b", "two"],
        ["b", "three"],
        ["c", "four"],
      ]);
      const failing = await claim();
      await claim();
      await store.failJobs({
        jobIds: failing.jobs.map((job) => job.jobId),
        projectId: made.projectId,
        leaseToken: failing.leaseToken,
        now: 3_000,
        errorMessage: "broken \0 text",
        retryAt: null,
      });
      const after = await store.readCounts();
      assert.deepEqual(
        [after.projects - before.projects, after.jobsPending, after.jobsRunning, after.jobsFailed],
        [1, 2, 1, 1],
      );
    },
  ],
];
