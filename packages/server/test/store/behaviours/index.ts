import assert from "node:assert/strict";
import { type Behaviour, chunkOf, commit, ingest, TEST_SPACE, visibleWords } from "../scenario.ts";

const bytes = new Uint8Array([1, 2, 3, 4]);

export const indexBehaviours: readonly Behaviour[] = [
  [
    "vectors and chunks come back in the order asked, null where there is none",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const words = Array.from({ length: 12 }, (_, index) => `w${index}`);
      await ingest(scenario, made, [["a", words.join(" ")]]);
      const keys = [5, 0, 99, 11, 5].map((position) => ({ versionId: 1, position }));
      const vectors = await store.readVectors({ projectId: made.projectId, vectorSet: 0, keys });
      const expected = [5, 0, null, 11, 5].map((position) =>
        position === null ? null : chunkOf(`w${position}`, position).vector,
      );
      assert.deepEqual(vectors, expected);
      // Many more keys than a question has, and none at all.
      const many = Array.from({ length: 700 }, (_, index) => ({ versionId: 1, position: index }));
      const found = await store.readVectors({ projectId: made.projectId, vectorSet: 0, keys: many });
      assert.equal(found.filter((vector) => vector !== null).length, 12);
      assert.deepEqual(await store.readVectors({ projectId: made.projectId, vectorSet: 0, keys: [] }), []);
    },
  ],
  [
    "vectors are found by content hash within one version",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [
        ["a", "one two two"],
        ["b", "three"],
      ]);
      const hashes = ["hash of two", "hash of three", "hash of nothing"];
      const found = await store.findVectorsByHash({ projectId, versionId: 1, space: TEST_SPACE, hashes });
      assert.deepEqual([...found.keys()], ["hash of two"]);
      const vector = found.get("hash of two");
      assert(vector !== undefined);
      assert([1, 2].some((position) => chunkOf("two", position).vector[1] === vector[1]));
      assert.equal(
        (await store.findVectorsByHash({ projectId, versionId: 1, space: TEST_SPACE, hashes: [] })).size,
        0,
      );
    },
  ],
  [
    "segments are replaced by their merge, without the dead and with the rest in its present state",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await scenario.accept(made, [
        ["a", "one two"],
        ["b", "three"],
      ]);
      const held = await scenario.claim({ maxJobs: 2 });
      const [a, b] = held.jobs;
      assert(a && b);
      const part = { tokens: 0, finished: true };
      await store.commitBatch({
        space: TEST_SPACE,
        projectId,
        leaseToken: held.leaseToken,
        now: 3_000,
        leaseUntil: 9_000,
        segment: bytes,
        parts: [
          { ...part, jobId: a.jobId, versionId: a.versionId, chunks: [chunkOf("one", 0), chunkOf("two", 1)] },
          { ...part, jobId: b.jobId, versionId: b.versionId, chunks: [chunkOf("three", 0)] },
        ],
        tokenLimit: null,
        month: "2031-04",
      });
      await ingest(scenario, made, [
        ["a", "new"],
        ["c", "four"],
      ]);
      const before = await store.readIndexState({ projectId });
      assert.deepEqual(
        before?.segments.map((segment) => [
          segment.segmentId,
          segment.chunkCount,
          segment.deadChunkCount,
          segment.dead,
        ]),
        [
          [1, 3, 2, [1]],
          [2, 1, 0, []],
          [3, 1, 0, []],
        ],
      );
      assert((await store.listMergeCandidates({ minSegments: 100, limit: 9 })).includes(projectId));

      // Between reading and writing of the merge, "c" is replaced.
      await ingest(scenario, made, [["c", "five"]]);
      const merge = { projectId, segmentIds: [1, 2], bytes, chunkCount: 2, droppedVersions: [1] };
      assert.equal(await store.replaceSegments({ ...merge, droppedVersions: [1, 2] }), false);
      assert.equal(await store.replaceSegments({ ...merge, segmentIds: [1, 2, 3] }), false);
      assert.equal(await store.replaceSegments(merge), true);
      assert.equal(await store.replaceSegments(merge), false);
      const after = await store.readIndexState({ projectId });
      // Refused merges may have taken ids.
      const merged = after?.segments[1]?.segmentId ?? 0;
      assert.ok(merged > 4);
      assert.deepEqual(
        after?.segments.map((segment) => [segment.segmentId, segment.chunkCount, segment.dead]),
        [
          [4, 1, []],
          [merged, 2, []],
        ],
      );
      assert((after?.indexVersion ?? 0) > (before?.indexVersion ?? 0));
      assert.deepEqual(await store.readSegment({ projectId, segmentId: merged }), bytes);
      assert.equal(await store.readSegment({ projectId, segmentId: 1 }), null);
      const hostile = "x' or '' = '";
      assert.equal(await store.readSegment({ projectId: hostile, segmentId: merged }), null);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["new"], b: ["three"], c: ["five"] });
    },
  ],
  [
    "a version that dies, or is switched in, while its segment is merged keeps that state",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [
        ["a", "old"],
        ["b", "kept"],
      ]);
      await accept(made, [["a", "new words"]]);
      const held = await claim();
      await commit(store, held, { count: 1 });
      // The merge of all three segments was made from this state; then the replacement finishes.
      await commit(store, held, { from: 1 });
      const merged = { projectId, segmentIds: [2, 3], bytes, chunkCount: 2, droppedVersions: [] };
      assert.equal(await store.replaceSegments(merged), true);
      const state = await store.readIndexState({ projectId });
      assert.deepEqual(
        state?.segments.map((segment) => [segment.segmentId, segment.dead, segment.staged]),
        [
          [4, [], []],
          [5, [], []],
        ],
      );
      await ingest(scenario, made, [["b", "gone"]]);
      const later = await store.readIndexState({ projectId });
      assert.deepEqual(later?.segments[1]?.dead, [2]);
      const kept = { projectId, segmentIds: [4, 5], bytes, chunkCount: 3, droppedVersions: [] };
      assert.equal(await store.replaceSegments(kept), true);
      const last = await store.readIndexState({ projectId });
      assert.deepEqual(
        last?.segments.map((segment) => [segment.dead, segment.deadChunkCount]),
        [
          [[], 0],
          [[2], 1],
        ],
      );
      const emptied = { projectId, segmentIds: [7], bytes: null, chunkCount: 0, droppedVersions: [2, 3] };
      assert.equal(await store.replaceSegments(emptied), false);
    },
  ],
  [
    "the index of a project that does not exist is null, that of an empty one has no segments",
    async ({ store, project, id }) => {
      assert.equal(await store.readIndexState({ projectId: id("project") }), null);
      const made = await project();
      assert.deepEqual(await store.readIndexState({ projectId: made.projectId }), {
        indexVersion: 0,
        graph: "none",
        space: TEST_SPACE,
        vectorSet: 0,
        segments: [],
      });
    },
  ],
  [
    "the index of a project is found for its own account, and for no other",
    async (scenario) => {
      const { store } = scenario;
      const { projectId, accountId } = await scenario.project();
      const other = await scenario.project();
      const state = await store.readIndexState({ projectId });
      assert.deepEqual(await store.readIndexState({ projectId, accountId }), state);
      assert.equal(await store.readIndexState({ projectId, accountId: other.accountId }), null);
    },
  ],
];
