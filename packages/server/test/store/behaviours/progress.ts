import assert from "node:assert/strict";
import { type Behaviour, commit } from "../scenario.ts";

export const progressBehaviours: readonly Behaviour[] = [
  [
    "jobs end in an order without gaps, which a reader goes through page by page",
    async ({ store, project, accept, claim }) => {
      const { projectId } = await project();
      const made = { projectId };
      const read = async (after: number | null, maxEnded = 10) =>
        (await store.readProgress({ jobs: [], projects: [{ projectId, after }], maxEnded })).projects[0];
      assert.deepEqual(await read(null), { ...made, after: null, lastPlace: 0, running: [], ended: [] });
      const accountId = (await store.findProject({ projectId }))?.accountId ?? "";
      const texts = ["one", "two", "three"].map((word) => [word, word] as const);
      const owner = { ...(await project()), projectId, accountId };
      const { jobIds } = await accept(owner, texts);
      const held = await claim({ maxJobs: 10 });
      const [first, second, third] = held.jobs;
      assert.ok(first && second && third);
      await commit(store, held, { job: third });
      await commit(store, held, { job: first });
      await store.failJobs({
        ...{ jobIds: [second.jobId], projectId, leaseToken: held.leaseToken, now: 9_000 },
        ...{ errorMessage: "no", retryAt: null },
      });
      const ended = async (after: number, max: number) =>
        (await read(after, max))?.ended.map(({ place, job }) => [
          place,
          jobIds.indexOf(job.jobId),
          job.status,
        ]);
      assert.deepEqual(await ended(0, 2), [
        [1, 2, "completed"],
        [2, 0, "completed"],
      ]);
      assert.deepEqual(await ended(2, 2), [[3, 1, "failed"]]);
      assert.deepEqual(await ended(3, 2), []);
      const now = await read(null);
      assert.deepEqual([now?.lastPlace, now?.ended], [3, []]);
    },
  ],
  [
    "a job that runs shows how many chunks there are and will be; what is gone is left out",
    async ({ store, project, accept, claim, id }) => {
      const made = await project();
      const { projectId } = made;
      const { jobIds } = await accept(made, [["a", "one two three"]]);
      const [jobId = ""] = jobIds;
      const read = async () => {
        const wanted = [
          { projectId, jobId },
          { projectId, jobId: id("job") },
          { projectId: id("project"), jobId },
        ];
        const { jobs } = await store.readProgress({
          jobs: wanted,
          projects: [{ projectId: id("project"), after: 0 }],
          maxEnded: 10,
        });
        assert.equal(jobs.length, 1);
        return [jobs[0]?.job.status, jobs[0]?.chunksTotal, jobs[0]?.chunksIndexed];
      };
      assert.deepEqual(await read(), ["pending", null, 0]);
      const held = await claim();
      assert.deepEqual(await read(), ["running", 1, 0]);
      await commit(store, held, { count: 2, chunksTotal: 4 });
      assert.deepEqual(await read(), ["running", 4, 2]);
      const { projects } = await store.readProgress({
        jobs: [],
        projects: [{ projectId, after: null }],
        maxEnded: 1,
      });
      assert.deepEqual(
        projects[0]?.running.map(({ job, chunksTotal }) => [job.jobId, chunksTotal]),
        [[jobId, 4]],
      );
      await commit(store, held, { from: 2 });
      assert.deepEqual(await read(), ["completed", 3, 3]);
    },
  ],
];
