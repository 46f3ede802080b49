import assert from "node:assert/strict";
import { type Behaviour, chunkOf, commit, ingest, leaseMs, type Scenario } from "../scenario.ts";

const bytes = new Uint8Array([1, 2, 3, 4]);

export const repairBehaviours: readonly Behaviour[] = [
  [
    "a reported segment is marked once, listed until it is replaced, and one that is gone is not marked",
    async (scenario) => {
      const { store } = scenario;
      const projectId = await projectOf(scenario, ["one", "two", "three"]);
      const own = () => repairsOf(scenario, projectId);
      assert.deepEqual(await own(), []);
      assert.equal(await store.reportDamagedSegment({ projectId, segmentId: 2 }), true);
      assert.equal(await store.reportDamagedSegment({ projectId, segmentId: 2 }), false);
      assert.equal(await store.reportDamagedSegment({ projectId, segmentId: 99 }), false);
      assert.deepEqual(await own(), [{ projectId, segmentId: 2, failures: 0 }]);
      assert.deepEqual(await store.listDamagedSegments({ projectId }), [2]);
      assert.equal(await replace(scenario, projectId, { segmentIds: [2], chunkCount: 1 }), true);
      assert.deepEqual(await own(), []);
      assert.deepEqual(await store.listDamagedSegments({ projectId }), []);
    },
  ],
  [
    "a repair that failed is due again later, and not before",
    async (scenario) => {
      const { store } = scenario;
      const projectId = await projectOf(scenario, ["one"]);
      await store.reportDamagedSegment({ projectId, segmentId: 1 });
      await store.postponeRepair({ projectId, segmentId: 1, until: 5_000 });
      assert.deepEqual(await repairsOf(scenario, projectId, 4_999), []);
      assert.deepEqual(await repairsOf(scenario, projectId, 5_000), [
        { projectId, segmentId: 1, failures: 1 },
      ]);
      assert.deepEqual(await store.listDamagedSegments({ projectId }), [1]);
      // Every question tells of it again, which must not make it due.
      assert.equal(await store.reportDamagedSegment({ projectId, segmentId: 1 }), false);
      assert.deepEqual(await repairsOf(scenario, projectId, 4_999), []);
      await store.postponeRepair({ projectId, segmentId: 99, until: 9_000 });
      // Its time is farther off than any pause: the clock was set back since.
      const day = 24 * 60 * 60_000;
      await store.postponeRepair({ projectId, segmentId: 1, until: 5_000 + day });
      assert.deepEqual(await repairsOf(scenario, projectId, 5_000), []);
      assert.equal((await repairsOf(scenario, projectId, 4_999)).length, 1);
      await store.postponeRepair({ projectId, segmentId: 1, until: 5_000 });
    },
  ],
  [
    "what a repair needs are the versions that are not dead, and the other segments that hold them",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await scenario.accept(project, [["a", "one two three four"]]);
      for (const count of [1, 2, 1]) {
        const claimed = await scenario.claim({ now: 2_000 + leaseMs * 2 });
        assert.equal(await commit(store, claimed, { count }), "committed");
        await store.releaseJobs({ leaseToken: claimed.leaseToken });
      }
      await ingest(scenario, project, [["b", "elsewhere"]]);
      await store.reportDamagedSegment({ projectId, segmentId: 3 });
      const repair = await store.readRepair({ projectId, segmentId: 2 });
      const document = repair?.documents[0];
      assert.deepEqual(
        [document?.sourceDocId, document?.chunkCount, document?.versionChunkCount, document?.metadata],
        ["a", 2, 4, {}],
      );
      assert.deepEqual(repair?.beside, [
        { segmentId: 1, chunkCount: 1, isDamaged: false },
        { segmentId: 3, chunkCount: 1, isDamaged: true },
      ]);
      assert.deepEqual([repair.liveChunkCount, repair.documents.length, repair.dead], [2, 1, []]);
      assert.equal(await store.readRepair({ projectId, segmentId: 99 }), null);

      const versionId = document?.versionId ?? 0;
      const keys = [3, 0, 9].map((position) => ({ versionId, position }));
      const [last, first, none] = await store.readIndexedChunks({ projectId, vectorSet: 0, keys });
      const { position, text, header, vector } = chunkOf("four", 3);
      assert.deepEqual(last, { versionId, position, text, header, vector });
      assert.equal(first?.text, "one");
      assert.equal(none, null);
    },
  ],
  [
    "a version that died is left out of a repair",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [
        ["a", "one"],
        ["b", "two"],
      ]);
      assert.equal(await replace(scenario, projectId, { segmentIds: [1, 2], chunkCount: 2 }), true);
      await store.reportDamagedSegment({ projectId, segmentId: 3 });
      await ingest(scenario, project, [["a", "new"]]);
      const repair = await store.readRepair({ projectId, segmentId: 3 });
      assert.deepEqual(
        [
          repair?.liveChunkCount,
          repair?.documents.map(({ sourceDocId }) => sourceDocId),
          repair?.dead.length,
        ],
        [1, ["b"], 1],
      );
    },
  ],
  [
    "a repair that relies on another segment is refused once that is gone",
    async (scenario) => {
      const projectId = await projectOf(scenario, ["one", "two"]);
      const repair = { segmentIds: [1], chunkCount: 1, beside: [2] };
      assert.equal(await replace(scenario, projectId, { segmentIds: [2], chunkCount: 1 }), true);
      assert.equal(await replace(scenario, projectId, repair), false);
      assert.equal(await replace(scenario, projectId, { ...repair, beside: [3] }), true);
    },
  ],
  [
    "of two that repair a segment at once one succeeds",
    async (scenario) => {
      const projectId = await projectOf(scenario, ["one", "two"]);
      const tries = [1, 2].map(() => replace(scenario, projectId, { segmentIds: [1], chunkCount: 1 }));
      assert.deepEqual((await Promise.all(tries)).toSorted(), [false, true]);
      const state = await scenario.store.readIndexState({ projectId });
      assert.equal(state?.segments.length, 2);
    },
  ],
  [
    "upkeep is due with many segments or a repair, until it was looked at",
    async (scenario) => {
      const { store } = scenario;
      const due = async (now = 1) => (await store.nextUpkeep({ now, minSegments: 2 })).readyNow;
      assert.equal(await due(), false);
      const projectId = await projectOf(scenario, ["one", "two", "three"]);
      assert.equal(await due(), true);
      const { indexVersion = 0 } = (await store.readIndexState({ projectId })) ?? {};
      await store.markMergeChecked({ projectId, indexVersion });
      assert.equal(await due(), false);
      await store.reportDamagedSegment({ projectId, segmentId: 1 });
      assert.equal(await due(), true);
      await store.postponeRepair({ projectId, segmentId: 1, until: 50 });
      assert.equal(await due(49), false);
      assert.equal(await due(50), true);
    },
  ],
];

/** A project with a document of one word, and a segment, for each word. */
async function projectOf(scenario: Scenario, words: readonly string[]): Promise<string> {
  const project = await scenario.project();
  await ingest(
    scenario,
    project,
    words.map((word) => [`document ${word}`, word] as const),
  );
  return project.projectId;
}

async function repairsOf({ store }: Scenario, projectId: string, now = 0) {
  const due = await store.listRepairs({ now, limit: 100 });
  return due.filter((segment) => segment.projectId === projectId);
}

function replace(
  { store }: Scenario,
  projectId: string,
  input: { segmentIds: readonly number[]; chunkCount: number; beside?: readonly number[] },
): Promise<boolean> {
  return store.replaceSegments({ projectId, bytes, droppedVersions: [], ...input });
}
