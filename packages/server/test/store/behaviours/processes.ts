/** Processes of one database, and the work that one leaves to the others. */
import assert from "node:assert/strict";
import type { ServiceProcess } from "../../../src/domain/service-process.ts";
import { type Behaviour, TEST_SPACE } from "../scenario.ts";

const TIMES = { silentSince: 970, goneSince: 500 };

function processOf(processId: string, place = "a machine:/data"): ServiceProcess {
  return {
    ...{ processId, place, version: "1.2.3", roles: ["api", "worker"], spaces: [TEST_SPACE] },
    ...{ readsWithModel: true, maxTextBytes: 9, secretMark: "mark", startedAt: 7 },
  };
}

export const processBehaviours: readonly Behaviour[] = [
  [
    "processes are listed with what they can do, until they are gone or another takes their place",
    async ({ store, id }) => {
      const names = async () => (await store.listProcesses()).map(({ processId }) => processId);
      const note = (process: ServiceProcess, now: number) =>
        store.noteProcess({ process, now, silentSince: now - 30, goneSince: now - 500 });
      const [one, two, three] = [id("one"), id("two"), id("three")] as const;
      await note(processOf(one), 1_000);
      await note(processOf(two, "elsewhere"), 1_010);
      await note(processOf(one), 1_020);
      assert.deepEqual(await names(), [one, two]);
      const [first] = await store.listProcesses();
      assert.deepEqual(first, { ...processOf(one), seenAt: 1_020, isStopped: false });
      // A process that is not silent keeps its place beside another one there.
      await note(processOf(three), 1_030);
      assert.deepEqual(await names(), [three, one, two]);
      await store.noteStopped({ processId: one });
      assert.equal((await store.listProcesses())[1]?.isStopped, true);
      await note(processOf(three), 1_040);
      assert.deepEqual(await names(), [three, two]);
      await note(processOf(three), 1_600);
      assert.deepEqual(await names(), [three]);
      await store.noteProcess({ process: processOf(id("last")), now: 9_000, ...TIMES, goneSince: 9_000 });
    },
  ],
  [
    "a claim passes over the projects that are left to others, and finds those behind them",
    async ({ store, project, accept, claim, id }) => {
      const accountId = id("account");
      const space = { model: 'pro%vider/"quoted"_model', dimensions: 38 };
      const config = { embeddingModel: space.model, embeddingDimensions: space.dimensions };
      const foreign = await project({ accountId, config });
      // Neither is the other's space, though their texts are alike.
      const longer = await project({ accountId, config: { ...config, embeddingDimensions: 384 } });
      const own = await project({ accountId });
      for (const each of [foreign, longer, own]) await accept(each, [["a", "one"]]);
      const left = { spaces: [space, { model: "none such", dimensions: 1 }], readsWithModel: false };
      const claimed: (string | undefined)[] = [];
      for (const _ of [1, 2, 3]) claimed.push((await claim({ left })).jobs[0]?.projectId);
      assert.deepEqual(claimed, [longer.projectId, own.projectId, undefined]);
      assert.deepEqual(await store.nextWork({ now: 2_000, left }), { readyNow: false });
      assert.deepEqual(await store.nextWork({ now: 2_000 }), { readyNow: true });
      assert.equal((await claim()).jobs[0]?.projectId, foreign.projectId);
    },
  ],
  [
    "jobs that a model is to read are left to the processes that have one, also when they are due again",
    async ({ store, project, accept, claim }) => {
      const read = await project({ config: { extraction: "model" } });
      const plain = await project({ config: { extraction: "built_in" } });
      const left = { spaces: [], readsWithModel: true };
      for (const made of [read, plain]) {
        await accept(made, [["a", "one"]]);
        const { jobs, leaseToken } = await claim();
        const jobIds = jobs.map(({ jobId }) => jobId);
        const { projectId } = made;
        await store.failJobs({
          jobIds,
          projectId,
          leaseToken,
          now: 2_000,
          errorMessage: "x",
          retryAt: 3_000,
        });
      }
      assert.deepEqual(await store.nextWork({ now: 2_999, left }), { readyNow: false });
      assert.deepEqual(await store.nextWork({ now: 3_000, left }), { readyNow: true });
      assert.equal((await claim({ now: 3_000, left })).jobs[0]?.projectId, plain.projectId);
      assert.deepEqual((await claim({ now: 3_000, left })).jobs, []);
      assert.equal((await claim({ now: 3_000 })).jobs[0]?.projectId, read.projectId);
    },
  ],
  [
    "moves to a space that only others can embed are left to them",
    async ({ store, project, id }) => {
      const { projectId, accountId } = await project();
      const to = { model: "provider/other", dimensions: 5 };
      assert.equal(await store.startReembedding({ projectId, accountId, to, now: 1_000 }), "begun");
      const left = { spaces: [to], readsWithModel: false };
      const input = { leaseToken: id("lease"), now: 1_000, leaseUntil: 2_000 };
      assert.equal(await store.claimReembedding({ ...input, left }), null);
      assert.deepEqual(await store.nextReembedding({ now: 1_000, left }), { readyNow: false });
      assert.deepEqual(await store.nextReembedding({ now: 1_000 }), { readyNow: true });
      assert.equal((await store.claimReembedding(input))?.projectId, projectId);
    },
  ],
];
