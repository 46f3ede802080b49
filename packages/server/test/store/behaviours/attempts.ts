import assert from "node:assert/strict";
import { type Behaviour, commit } from "../scenario.ts";

export const attemptBehaviours: readonly Behaviour[] = [
  [
    "jobs whose worker ended twice are claimed one by one, each counting its tries",
    async ({ store, project, accept, claim }) => {
      await accept(await project(), [
        ["a", "one"],
        ["b", "two"],
        ["c", "three"],
      ]);
      const claimAndEnd = async () => {
        const { jobs } = await claim({ maxJobs: 10 });
        await store.expireAllLeases();
        return jobs.map((job) => [job.sourceDocId, job.attempts]);
      };
      const together = (attempts: number) => ["a", "b", "c"].map((name) => [name, attempts]);
      assert.deepEqual(await claimAndEnd(), together(0));
      assert.deepEqual(await claimAndEnd(), together(1));
      assert.deepEqual(await claimAndEnd(), [["a", 2]]);
      assert.deepEqual(await claimAndEnd(), [["a", 3]]);
      const last = await claim({ maxJobs: 10 });
      assert.equal(last.jobs[0]?.attempts, 4);
      await store.failJobs({
        jobIds: last.jobs.map((job) => job.jobId),
        projectId: last.jobs[0]?.projectId ?? "",
        leaseToken: last.leaseToken,
        now: 3_000,
        errorMessage: "it ends its worker",
        retryAt: null,
      });
      assert.deepEqual(await claimAndEnd(), [["b", 2]]);
    },
  ],
  [
    "a job that got on starts its count of tries anew, and leaves one that did not to a claim of its own",
    async ({ store, project, accept, claim }) => {
      await accept(await project(), [
        ["a", "one two three"],
        ["b", "four"],
      ]);
      for (const _ of [1, 2]) {
        await claim({ maxJobs: 10 });
        await store.expireAllLeases();
      }
      const alone = await claim({ maxJobs: 10 });
      assert.deepEqual(
        alone.jobs.map((job) => [job.sourceDocId, job.attempts]),
        [["a", 2]],
      );
      assert.equal(await commit(store, alone, { count: 1 }), "committed");
      await store.expireAllLeases();
      const again = await claim({ maxJobs: 10 });
      assert.deepEqual(
        again.jobs.map((job) => [job.sourceDocId, job.attempts]),
        [["a", 1]],
      );
      const other = await claim({ maxJobs: 10 });
      assert.deepEqual(
        other.jobs.map((job) => [job.sourceDocId, job.attempts]),
        [["b", 2]],
      );
    },
  ],
  [
    "a job that waits for an outage to end counts no try",
    async ({ store, project, accept, claim }) => {
      const made = await project();
      await accept(made, [["a", "one"]]);
      const postpone = async (now: number, countAttempt: boolean) => {
        const held = await claim({ now });
        await store.failJobs({
          jobIds: held.jobs.map((job) => job.jobId),
          projectId: made.projectId,
          leaseToken: held.leaseToken,
          now,
          errorMessage: "not now",
          retryAt: now + 1_000,
          countAttempt,
        });
        return held.jobs[0]?.attempts;
      };
      assert.equal(await postpone(10_000, false), 0);
      assert.deepEqual((await claim({ now: 10_999 })).jobs, []);
      assert.equal(await postpone(11_000, true), 0);
      assert.equal(await postpone(12_000, false), 1);
      assert.equal((await claim({ now: 13_000 })).jobs[0]?.attempts, 1);
    },
  ],
  [
    "a job whose time to go on is far off, after the clock was set back, is taken up now",
    async ({ store, project, accept, claim }) => {
      const made = await project();
      await accept(made, [["a", "one"]]);
      const held = await claim({ now: 5_000_000 });
      await store.failJobs({
        jobIds: held.jobs.map((job) => job.jobId),
        projectId: made.projectId,
        leaseToken: held.leaseToken,
        now: 5_000_000,
        errorMessage: "not now",
        retryAt: 5_100_000,
      });
      const wait = 10 * 60_000;
      assert.equal((await store.nextWork({ now: 5_100_000 - wait })).readyNow, false);
      assert.deepEqual((await claim({ now: 5_100_000 - wait })).jobs, []);
      assert.equal((await store.nextWork({ now: 5_099_999 - wait })).readyNow, true);
      assert.equal((await claim({ now: 5_099_999 - wait })).jobs.length, 1);
    },
  ],
];
