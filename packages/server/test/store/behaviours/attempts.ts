import assert from "node:assert/strict";
import { type Behaviour, commit, LONG_AGO, leaseMs, type Scenario } from "../scenario.ts";

export const attemptBehaviours: readonly Behaviour[] = [
  [
    "of a long reason, job and document keep the beginning, on one line and without control characters",
    async ({ store, project, accept, claim }) => {
      const made = await project();
      const { projectId } = made;
      const { jobIds } = await accept(made, [["a", "one"]]);
      const { leaseToken } = await claim();
      const errorMessage = `It quotes\n"\0${"x".repeat(3_000_000)}"`;
      await store.failJobs({ jobIds, projectId, leaseToken, now: 3_000, errorMessage, retryAt: null });
      const kept = `It quotes " ${"x".repeat(1_987)}…`;
      assert.equal((await store.findJob({ projectId, jobId: jobIds[0] ?? "" }))?.errorMessage, kept);
      const content = await store.readDocument({ projectId, sourceDocId: "a" });
      assert.equal(content?.document.job?.errorMessage, kept);
    },
  ],
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
        await store.expireAllLeases({ now: LONG_AGO });
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
        await store.expireAllLeases({ now: LONG_AGO });
      }
      const alone = await claim({ maxJobs: 10 });
      assert.deepEqual(
        alone.jobs.map((job) => [job.sourceDocId, job.attempts]),
        [["a", 2]],
      );
      assert.equal(await commit(store, alone, { count: 1 }), "committed");
      await store.expireAllLeases({ now: LONG_AGO });
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
    "a process that does not live long, whatever ends it, does not use up the tries of a job",
    async ({ store, project, accept, claim }) => {
      await accept(await project(), [["a", "one"]]);
      const lifeMs = 10_000;
      const tries: number[] = [];
      for (let start = 0; start < 1_000_000; start += lifeMs) {
        await store.expireAllLeases({ now: start });
        const { jobs } = await claim({ now: start + lifeMs - 1 });
        tries.push(...jobs.map(({ attempts }) => attempts));
      }
      assert.deepEqual(tries, [0, 1, 2]);
    },
  ],
  [
    "a job that ends its worker is tried five times, each time after a longer life without it, while others are worked on",
    async ({ store, project, accept, claim }) => {
      const made = await project();
      await accept(made, [["poison", "one"]]);
      const pauses: number[] = [];
      let now = 0;
      for (let attempts = 0; attempts <= 5; attempts++) {
        await store.expireAllLeases({ now });
        const due = await firstDue(store, now);
        pauses.push(due - now);
        if (due > now) {
          await accept(made, [[`other ${attempts}`, "two"]]);
          const other = await claim({ now });
          assert.deepEqual(
            other.jobs.map(({ sourceDocId }) => sourceDocId),
            [`other ${attempts}`],
          );
          await commit(store, other);
        }
        const { jobs } = await claim({ now: due, maxJobs: 10 });
        assert.deepEqual(
          jobs.map((job) => [job.sourceDocId, job.attempts]),
          [["poison", attempts]],
        );
        now = due + 100;
      }
      assert.deepEqual(pauses, [0, 0, 4_000, 32_000, 256_000, 256_000]);
    },
  ],
  [
    "where another process may hold a job, it waits as much longer after each end of its worker",
    async ({ store, project, accept, claim }) => {
      await accept(await project(), [["a", "one"]]);
      const waits: number[] = [];
      let now = 0;
      for (let attempts = 0; attempts < 4; attempts++) {
        const { leaseToken } = await claim({ now });
        await store.renewLease({ leaseToken, leaseUntil: now + 2 * leaseMs });
        const due = await firstDue(store, now);
        waits.push(due - now - 2 * leaseMs);
        now = due;
      }
      assert.deepEqual(waits, [0, 4_000, 32_000, 256_000]);
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

/** The first time, in whole seconds from `now` on, at which a job can be claimed. */
async function firstDue(store: Scenario["store"], now: number): Promise<number> {
  let [none, due] = [-1, 600];
  while (due - none > 1) {
    const middle = Math.floor((none + due) / 2);
    if ((await store.nextWork({ now: now + middle * 1_000 })).readyNow) due = middle;
    else none = middle;
  }
  return now + due * 1_000;
}
