import assert from "node:assert/strict";
import {
  type Behaviour,
  chunkOf,
  commit,
  hasUsed,
  ingest,
  month,
  rowBytes,
  TEST_SPACE,
  visibleWords,
} from "../scenario.ts";

export const commitBehaviours: readonly Behaviour[] = [
  [
    "a document's first version is visible from its first batch",
    async ({ store, project, accept, claim }) => {
      const made = await project();
      const { projectId } = made;
      const { jobIds } = await accept(made, [["a", "one two three"]]);
      const held = await claim();
      await commit(store, held, { count: 2 });
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one", "two"] });
      const job = await store.findJob({ projectId, jobId: jobIds[0] ?? "" });
      assert.deepEqual([job?.status, job?.chunksProcessed], ["running", 2]);
      await commit(store, held, { from: 2 });
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one", "two", "three"] });
      const state = await store.readIndexState({ projectId });
      assert.deepEqual([state?.indexVersion, state?.segments.length], [2, 2]);
    },
  ],
  [
    "a replacing version appears whole, when its last batch is in, and the old one is gone",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "old text"]]);
      await accept(made, [["a", "new words here"]]);
      const held = await claim();
      assert.equal(held.jobs[0]?.replacesVersionId, 1);
      await commit(store, held, { count: 2 });
      assert.deepEqual(await visibleWords(store, projectId), { a: ["old", "text"] });
      const during = await store.readIndexState({ projectId });
      assert.deepEqual(
        during?.segments.map((segment) => [segment.dead, segment.staged]),
        [
          [[], []],
          [[], [2]],
        ],
      );
      await commit(store, held, { from: 2 });
      assert.deepEqual(await visibleWords(store, projectId), { a: ["new", "words", "here"] });
      const after = await store.readIndexState({ projectId });
      // The old version's segment held nothing else.
      assert.deepEqual(
        after?.segments.map((segment) => [segment.segmentId, segment.dead, segment.staged]),
        [
          [2, [], []],
          [3, [], []],
        ],
      );
      assert((after?.indexVersion ?? 0) > (during?.indexVersion ?? 0));
      assert.equal(await store.readSegment({ projectId, segmentId: 1 }), null);
      assert.deepEqual(
        await store.readVectors({ projectId, vectorSet: 0, keys: [{ versionId: 1, position: 0 }] }),
        [null],
      );
    },
  ],
  [
    "the same text again completes at once with the document's count and changes nothing",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "one two"]]);
      const before = await store.readIndexState({ projectId });
      const { jobIds } = await scenario.accept(made, [["a", "one two"]]);
      assert.deepEqual((await scenario.claim({ now: 7_000 })).jobs, []);
      const job = await store.findJob({ projectId, jobId: jobIds[0] ?? "" });
      assert.deepEqual(
        [job?.status, job?.chunksProcessed, job?.startedAt, job?.completedAt],
        ["completed", 2, 7_000, 7_000],
      );
      assert.deepEqual(await store.readIndexState({ projectId }), before);
      const stored = await scenario.accept(made, [["b", "12345"]], {
        maxStoredBytes: rowBytes("a", "b") + 12,
      });
      assert.equal(stored.outcome.kind, "accepted");
    },
  ],
  [
    "a failed first version stays visible; the same text goes on with it, another replaces it",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const fail = async (held: Awaited<ReturnType<typeof claim>>) =>
        store.failJobs({
          jobIds: held.jobs.map((job) => job.jobId),
          projectId,
          leaseToken: held.leaseToken,
          now: 4_000,
          errorMessage: "broken",
          retryAt: null,
        });
      const { jobIds } = await accept(made, [["a", "one two three"]]);
      const first = await claim();
      await commit(store, first, { count: 1 });
      await fail(first);
      const failed = await store.findJob({ projectId, jobId: jobIds[0] ?? "" });
      assert.deepEqual(
        [failed?.status, failed?.chunksProcessed, failed?.errorMessage, failed?.completedAt],
        ["failed", 1, "broken", 4_000],
      );
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one"] });

      const again = await accept(made, [["a", "one two three"]]);
      const resumed = await claim();
      assert.deepEqual(
        [resumed.jobs[0]?.versionId, resumed.jobs[0]?.nextPosition, resumed.jobs[0]?.replacesVersionId],
        [1, 1, null],
      );
      await commit(store, resumed, { count: 1 });
      await fail(resumed);
      const job = await store.findJob({ projectId, jobId: again.jobIds[0] ?? "" });
      assert.equal(job?.chunksProcessed, 1);

      await accept(made, [["a", "four"]]);
      const replacing = await claim();
      assert.equal(replacing.jobs[0]?.nextPosition, 0);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["one", "two"] });
      await commit(store, replacing);
      assert.deepEqual(await visibleWords(store, projectId), { a: ["four"] });
    },
  ],
  [
    "a failed replacement stays hidden; the same text goes on with it, another removes it",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "old"]]);
      const failAfterOne = async (text: string) => {
        await accept(made, [["a", text]]);
        const held = await claim();
        assert.equal(await commit(store, held, { count: 1 }), "committed");
        await store.failJobs({
          jobIds: held.jobs.map((job) => job.jobId),
          projectId,
          leaseToken: held.leaseToken,
          now: 4_000,
          errorMessage: "broken",
          retryAt: null,
        });
        return held.jobs[0]?.versionId;
      };
      const hidden = await failAfterOne("new words now");
      assert.deepEqual(await visibleWords(store, projectId), { a: ["old"] });
      await accept(made, [["a", "new words now"]]);
      const resumed = await claim();
      assert.deepEqual([resumed.jobs[0]?.versionId, resumed.jobs[0]?.nextPosition], [hidden, 1]);
      assert.equal(resumed.jobs[0]?.replacesVersionId, 1);
      assert.equal(await commit(store, resumed), "committed");
      assert.deepEqual(await visibleWords(store, projectId), { a: ["new", "words", "now"] });

      const abandoned = (await failAfterOne("third text")) ?? 0;
      await accept(made, [["a", "fourth"]]);
      const last = await claim();
      assert.equal(await commit(store, last), "committed");
      assert.deepEqual(
        await store.readVectors({ projectId, vectorSet: 0, keys: [{ versionId: abandoned, position: 0 }] }),
        [null],
      );
      assert.deepEqual(await visibleWords(store, projectId), { a: ["fourth"] });
    },
  ],
  [
    "vectors of another model or length than the project's are not taken in",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await accept(made, [["a", "one two"]]);
      const held = await claim();
      for (const space of [
        { ...TEST_SPACE, model: "another" },
        { ...TEST_SPACE, dimensions: 5 },
      ]) {
        assert.equal(await commit(store, held, { space }), "lease_lost");
      }
      assert.deepEqual(await visibleWords(store, projectId), {});
      assert.equal(await commit(store, held), "committed");
      assert.deepEqual((await store.readIndexState({ projectId }))?.space, TEST_SPACE);
    },
  ],
  [
    "a batch of several documents is one segment, and each finishes by itself",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await accept(made, [
        ["a", "one two"],
        ["b", "three"],
        ["c", ""],
      ]);
      const held = await claim({ maxJobs: 3 });
      const [a, b, c] = held.jobs;
      assert(a && b && c);
      const outcome = await store.commitBatch({
        space: TEST_SPACE,
        projectId,
        leaseToken: held.leaseToken,
        now: 3_000,
        leaseUntil: 9_000,
        segment: new Uint8Array([7, 8]),
        parts: [
          { jobId: a.jobId, versionId: a.versionId, chunks: [chunkOf("one", 0)], tokens: 2, finished: false },
          {
            jobId: b.jobId,
            versionId: b.versionId,
            chunks: [chunkOf("three", 0)],
            tokens: 3,
            finished: true,
          },
          { jobId: c.jobId, versionId: c.versionId, chunks: [], tokens: 0, finished: true },
        ],
        tokenLimit: null,
        month,
      });
      assert.equal(outcome, "committed");
      const jobs = await store.listJobs({ projectId, page: { limit: 3, offset: 0 } });
      assert.deepEqual(
        jobs.map((job) => [job.sourceDocId, job.status, job.chunksProcessed]),
        [
          ["c", "completed", 0],
          ["b", "completed", 1],
          ["a", "running", 1],
        ],
      );
      const state = await store.readIndexState({ projectId });
      assert.deepEqual(
        state?.segments.map((segment) => segment.chunkCount),
        [2],
      );
      const segment = await store.readSegment({ projectId, segmentId: 1 });
      assert.deepEqual(segment, new Uint8Array([7, 8]));
      await ingest(scenario, made, [["d", ""]]);
      assert.equal((await store.readProjectNumbers({ projectId }))?.segments, 1);
      assert(await hasUsed(scenario, made, 5));
    },
  ],
  [
    "a batch that does not go on where the version ends, or comes twice, writes nothing",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await accept(made, [["a", "one two three"]]);
      const held = await claim();
      assert.equal(await commit(store, held, { from: 1, count: 1 }), "lease_lost");
      assert.equal(await commit(store, held, { count: 1 }), "committed");
      assert.equal(await commit(store, held, { count: 1 }), "lease_lost");
      assert.equal(await commit(store, held, { from: 1, leaseToken: "another" }), "lease_lost");
      assert.equal((await store.readIndexState({ projectId }))?.indexVersion, 1);
      assert(await hasUsed(scenario, made, 1));
    },
  ],
];
