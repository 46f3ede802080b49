import assert from "node:assert/strict";
import type { Project } from "../../../src/domain/project.ts";
import type { ClaimedReembedding, StageOutcome, UnmovedChunk } from "../../../src/ports/reembed-store.ts";
import {
  type Behaviour,
  chunkOf,
  commit,
  hasUsed,
  ingest,
  month,
  type Scenario,
  TEST_SPACE,
  visibleWords,
} from "../scenario.ts";

const NEW_SPACE = { model: "other/model", dimensions: 2 };
const DAY_MS = 24 * 60 * 60_000;
const LEASE_MS = 60_000;
const NOW = 10_000;

interface Move {
  readonly leaseToken: string;
  readonly claimed: ClaimedReembedding;
}

export const reembeddingBehaviours: readonly Behaviour[] = [
  [
    "what is staged is not seen until every chunk is, and then all at once",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId, accountId } = project;
      await ingest(scenario, project, [
        ["a", "one two three"],
        ["b", "four"],
      ]);
      const before = await store.readIndexState({ projectId });
      const move = await begin(scenario, project);
      const chunks = await unmoved(scenario, move);
      assert.deepEqual(
        chunks.map(({ text }) => text),
        ["one", "two", "three", "four"],
      );
      assert.equal(await stage(scenario, move, chunks.slice(0, 2)), "staged");
      assert.equal(await finish(scenario, move), "unfinished");
      assert.deepEqual(await store.readIndexState({ projectId }), before);
      assert.equal((await store.findReembedding({ projectId }))?.chunksProcessed, 2);
      const left = await unmoved(scenario, move);
      assert.deepEqual(
        left.map(({ text }) => text),
        ["three", "four"],
      );
      // What does not go on where the staged chunks end is refused; its vector is kept.
      assert.equal(await stage(scenario, move, chunks.slice(0, 1)), "changed");
      assert.equal(await stage(scenario, move, left.slice(1)), "staged");
      assert.equal(await stage(scenario, move, left.slice(0, 1)), "staged");
      assert.ok(await hasUsed(scenario, project, 4 + 5));
      const [use] = await store.listUsage({ accountId, from: "1970-01-01", to: "1970-01-01" });
      assert.deepEqual([use?.tokens, use?.documents, use?.chunks], [4 + 5, 2, 4]);

      await ingest(scenario, project, [["c", "five"]]);
      const late = await scenario.accept(project, [["d", "six"]]).then(() => scenario.claim());
      assert.equal(await finish(scenario, move), "unfinished");
      assert.equal(await stage(scenario, move, await unmoved(scenario, move)), "staged");
      assert.equal(await finish(scenario, move), "switched");
      assert.equal(await commit(store, late), "lease_lost");

      const after = await store.readIndexState({ projectId, accountId });
      assert.deepEqual([after?.space, after?.segments.length], [NEW_SPACE, 4]);
      assert.ok((after?.indexVersion ?? 0) > (before?.indexVersion ?? 0));
      assert.equal((await store.findProject({ projectId }))?.config.embeddingModel, NEW_SPACE.model);
      assert.deepEqual(await visibleWords(store, projectId), {
        a: ["one", "two", "three"],
        b: ["four"],
        c: ["five"],
      });
      const moved = await store.findReembedding({ projectId });
      assert.deepEqual([moved?.status, moved?.chunksProcessed, moved?.chunksTotal], ["completed", 5, 5]);
    },
  ],
  [
    "a question of the old space finds no vectors after the switch, and cleaning up changes no vector",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [["a", "one two one"]]);
      const move = await begin(scenario, project);
      const { vectorSet } = move.claimed;
      const keys = [0, 1, 2].map((position) => ({ versionId: 1, position }));
      await stage(scenario, move, await unmoved(scenario, move));
      assert.deepEqual(await store.readVectors({ projectId, vectorSet, keys }), [null, null, null]);
      assert.equal(await finish(scenario, move), "switched");
      const expected = ["one", "two", "one"].map(newVector);
      const hashes = ["one", "two"].map((word) => chunkOf(word, 0).contentHash);
      const repair = await store.readRepair({ projectId, segmentId: 2 });
      assert.equal(repair?.vectorSet, vectorSet);
      const check = async () => {
        assert.deepEqual(await store.readVectors({ projectId, vectorSet: 0, keys }), [null, null, null]);
        assert.deepEqual(await store.readVectors({ projectId, vectorSet, keys }), expected);
        const first = { projectId, vectorSet, keys: keys.slice(0, 1) };
        assert.deepEqual(await store.readVectors(first), expected.slice(0, 1));
        const indexed = await store.readIndexedChunks({ projectId, vectorSet, keys });
        assert.deepEqual(
          indexed.map((chunk) => chunk?.vector),
          expected,
        );
        const found = await store.findVectorsByHash({ projectId, versionId: 1, space: NEW_SPACE, hashes });
        assert.deepEqual([...found.values()].sort(), ["one", "two"].map(newVector).sort());
        const old = await store.findVectorsByHash({ projectId, versionId: 1, space: TEST_SPACE, hashes });
        assert.equal(old.size, 0);
      };
      await check();
      assert.notEqual(await store.readSegment({ projectId, segmentId: 1 }), null);
      let steps = 0;
      for (; await store.reclaim({ now: NOW, maxPages: 0 }); steps++) await check();
      // The old segment; the chunks' vectors; the moved vectors; the mark that all is done.
      assert.equal(steps, 4);
      await check();
      assert.equal(await store.readSegment({ projectId, segmentId: 1 }), null);
    },
  ],
  [
    "a version that is deleted or replaced meanwhile is so after the switch",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [
        ["a", "one two"],
        ["b", "three four"],
        ["c", "five"],
      ]);
      const move = await begin(scenario, project);
      const chunks = await unmoved(scenario, move);
      assert.equal(await stage(scenario, move, chunks.slice(0, 3)), "staged");
      for (const sourceDocId of ["a", "c"])
        await store.deleteDocument({ projectId, sourceDocId, now: NOW, errorMessage: "deleted" });
      // The document of its second chunk is gone: the vector of the first is kept all the same.
      assert.equal(await stage(scenario, move, chunks.slice(3)), "changed");
      await ingest(scenario, project, [["b", "three eight"]]);
      const left = await unmoved(scenario, move);
      assert.deepEqual(
        left.map(({ text, vector }) => [text, vector === null]),
        [
          ["three", false],
          ["eight", true],
        ],
      );
      assert.equal(await stage(scenario, move, left), "staged");
      assert.equal(await finish(scenario, move), "switched");
      assert.deepEqual(await visibleWords(store, projectId), { b: ["three", "eight"] });
    },
  ],
  [
    "a cancelled move leaves nothing to go on with; a failed one is gone on with for a day",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [["a", "one two"]]);
      const first = await begin(scenario, project);
      await stage(scenario, first, (await unmoved(scenario, first)).slice(0, 1));
      assert.equal(await store.cancelReembedding({ projectId, now: NOW }), "cancelled");
      assert.deepEqual(await unmoved(scenario, first), []);
      const chunk = { ...chunkOf("two", 1), versionId: 1, sourceDocId: "a", metadata: {}, vector: null };
      assert.equal(await stage(scenario, first, [chunk]), "lease_lost");
      assert.equal(await finish(scenario, first), "lease_lost");
      await clean(scenario, NOW);

      const second = await begin(scenario, project);
      const all = await unmoved(scenario, second);
      assert.deepEqual(
        all.map(({ vector }) => vector),
        [null, null],
      );
      assert.equal(await stage(scenario, second, all.slice(0, 1)), "staged");
      await fail(scenario, second, null);
      assert.equal(
        (await store.findReembedding({ projectId }))?.errorMessage,
        `It does not go. ${"x".repeat(1_983)}…`,
      );
      await clean(scenario, NOW + DAY_MS - 1);
      const third = await begin(scenario, project);
      assert.equal(third.claimed.vectorSet, second.claimed.vectorSet);
      assert.equal((await unmoved(scenario, third)).length, 1);
      await fail(scenario, third, null);
      await clean(scenario, NOW + DAY_MS);
      const fourth = await begin(scenario, project);
      assert.notEqual(fourth.claimed.vectorSet, third.claimed.vectorSet);
      assert.equal((await unmoved(scenario, fourth)).length, 2);
      await store.cancelReembedding({ projectId, now: NOW });
      assert.equal(await store.cancelReembedding({ projectId, now: NOW }), "cancelled");
    },
  ],
  [
    "a move is one worker's until its lease ends, waits when it is told to, and is begun once",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId, accountId } = project;
      const to = { projectId, accountId, now: NOW };
      assert.equal(await store.startReembedding({ ...to, to: TEST_SPACE }), "settled");
      assert.equal(await store.findReembedding({ projectId }), null);
      assert.equal(await store.cancelReembedding({ projectId, now: NOW }), "none");
      const stranger = { ...to, accountId: scenario.id("account"), to: NEW_SPACE };
      assert.equal(await store.startReembedding(stranger), "project_gone");
      const { leaseToken, claimed } = await begin(scenario, project);
      assert.equal(await store.startReembedding({ ...to, to: NEW_SPACE }), "under_way");
      assert.equal(await store.startReembedding({ ...to, to: TEST_SPACE }), "elsewhere");
      assert.deepEqual([claimed.attempts, claimed.to], [0, NEW_SPACE]);
      assert.equal(await claim(scenario, NOW + LEASE_MS - 1), null);
      assert.equal(await store.renewReembedding({ leaseToken, leaseUntil: NOW + 2 * LEASE_MS }), true);
      assert.equal(await claim(scenario, NOW + LEASE_MS), null);
      const lapsed = await claim(scenario, NOW + 2 * LEASE_MS);
      assert.equal(lapsed?.claimed.attempts, 1);
      assert.equal(await store.renewReembedding({ leaseToken, leaseUntil: 0 }), false);
      if (lapsed === null) return;
      await fail(scenario, lapsed, NOW + 3 * LEASE_MS);
      assert.deepEqual(await store.nextReembedding({ now: NOW + 3 * LEASE_MS - 1 }), { readyNow: false });
      const again = await claim(scenario, NOW + 3 * LEASE_MS);
      assert.equal(again?.claimed.attempts, 2);
      if (again === null) return;
      await store.releaseReembedding({ leaseToken: again.leaseToken, now: NOW });
      assert.equal((await claim(scenario, NOW))?.claimed.attempts, 2);
      await store.deleteProject({ projectId });
      assert.equal(await finish(scenario, again), "lease_lost");
      assert.equal(await store.findReembedding({ projectId }), null);
    },
  ],
  [
    "staged segments are merged among themselves, and never with listed ones",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [["a", "one two"]]);
      const move = await begin(scenario, project);
      const { vectorSet } = move.claimed;
      for (const chunk of await unmoved(scenario, move)) await stage(scenario, move, [chunk]);
      const listed = await store.readIndexState({ projectId });
      const ids = async () =>
        (await store.readIndexState({ projectId, vectorSet }))?.segments.map(({ segmentId }) => segmentId);
      assert.deepEqual(await ids(), [2, 3]);
      const merge = (segmentIds: readonly number[], chunkCount = 2) =>
        store.replaceSegments({
          ...{ projectId, segmentIds, bytes: new Uint8Array([1]), chunkCount, droppedVersions: [] },
        });
      assert.equal(await merge([1, 2], 3), false);
      assert.equal(await merge([2, 3]), true);
      const merged = await ids();
      assert.ok(merged?.length === 1 && (merged[0] ?? 0) > 3);
      assert.deepEqual(await store.readIndexState({ projectId }), listed);
      assert.equal(await finish(scenario, move), "switched");
      assert.deepEqual(
        (await store.readIndexState({ projectId }))?.segments.map(({ segmentId }) => segmentId),
        merged,
      );
    },
  ],
];

/** Begun, or gone on with, and claimed. */
async function begin(scenario: Scenario, { projectId, accountId }: Project): Promise<Move> {
  const outcome = await scenario.store.startReembedding({ projectId, accountId, to: NEW_SPACE, now: NOW });
  assert.equal(outcome, "begun");
  const move = await claim(scenario, NOW);
  assert.equal(move?.claimed.projectId, projectId);
  return move;
}

async function claim({ store, id }: Scenario, now: number): Promise<Move | null> {
  const leaseToken = id("lease");
  const claimed = await store.claimReembedding({ leaseToken, now, leaseUntil: now + LEASE_MS });
  return claimed === null ? null : { leaseToken, claimed };
}

function unmoved({ store }: Scenario, { claimed }: Move): Promise<readonly UnmovedChunk[]> {
  const { projectId, vectorSet } = claimed;
  return store.listUnmovedChunks({ projectId, vectorSet, after: null, limit: 100 });
}

/** A vector of the new space, by the text alone. */
function newVector(text: string): Float32Array {
  return Float32Array.of(text.length, text.charCodeAt(0));
}

function stage(
  { store }: Scenario,
  { leaseToken, claimed }: Move,
  chunks: readonly UnmovedChunk[],
): Promise<StageOutcome> {
  const { projectId, vectorSet } = claimed;
  const versions = Map.groupBy(chunks, ({ versionId }) => versionId);
  return store.stageBatch({
    ...{ projectId, vectorSet, leaseToken, now: NOW, leaseUntil: NOW + LEASE_MS, month, tokenLimit: null },
    vectors: chunks
      .filter(({ vector }) => vector === null)
      .map(({ contentHash, text }) => ({ contentHash, vector: newVector(text) })),
    segment: new TextEncoder().encode(chunks.map(({ text }) => text).join(" ")),
    places: [...versions].map(([versionId, [first, ...more]]) => ({
      ...{ versionId, from: first?.position ?? 0, count: 1 + more.length },
    })),
    tokens: chunks.length,
  });
}

function finish({ store }: Scenario, { leaseToken, claimed }: Move) {
  const { projectId, vectorSet } = claimed;
  return store.switchSpace({ projectId, leaseToken, vectorSet, now: NOW });
}

function fail({ store }: Scenario, { leaseToken, claimed }: Move, retryAt: number | null): Promise<void> {
  const { projectId } = claimed;
  const errorMessage = `It does not go.\0${"x".repeat(5_000)}`;
  return store.failReembedding({
    ...{ projectId, leaseToken, now: NOW, errorMessage, retryAt, countAttempt: true },
  });
}

async function clean({ store }: Scenario, now: number): Promise<void> {
  for (let steps = 0; await store.reclaim({ now, maxPages: 0 }); steps++) assert.ok(steps < 100);
}
