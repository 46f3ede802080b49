import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChunkKey } from "../../domain/document.ts";
import type { IndexedChunk, SegmentRepair } from "../../ports/store.ts";
import { buildSegment } from "./build.ts";
import { MissingChunksError, type RepairDeps, repairSegment } from "./repair.ts";
import { createSegmentWork, doSegmentWork } from "./segment-work.ts";

const TARGET = { projectId: "p", segmentId: 7 };
const work = createSegmentWork(async (request) => doSegmentWork(request));

const rowOf = ({ versionId, position }: ChunkKey): IndexedChunk => ({
  versionId,
  position,
  header: "",
  text: `oil ${position}`,
  vector: Float32Array.of(1, position),
});

function repairOf(chunkCount: number): SegmentRepair {
  const versionChunkCount = chunkCount;
  const document = { versionId: 3, sourceDocId: "d", metadata: {}, chunkCount, versionChunkCount };
  return { vectorSet: 0, liveChunkCount: chunkCount, documents: [document], dead: [], beside: [] };
}

/** A store with all chunks of one damaged segment; records the calls. */
function storeOf(repair: SegmentRepair, lacks: (key: ChunkKey) => boolean = () => false) {
  const pages: number[] = [];
  const replacements: (Uint8Array | null)[] = [];
  const store: RepairDeps["store"] = {
    readIndexState: async () => null,
    readSegment: async () => null,
    listDamagedSegments: async () => [],
    readRepair: async () => repair,
    async readIndexedChunks({ keys }) {
      pages.push(keys.length);
      return keys.map((key) => (lacks(key) ? null : rowOf(key)));
    },
    async replaceSegments({ bytes }) {
      assert.ok(bytes === null || bytes instanceof Uint8Array);
      replacements.push(bytes);
      return true;
    },
  };
  return { store, pages, replacements };
}

test("a segment of several pages is rebuilt from every chunk once, at most 1,024 at a time", async () => {
  const { store, pages, replacements } = storeOf(repairOf(2_050));
  assert.equal(await repairSegment(TARGET, { store, work, stopping: () => false }), "repaired");
  assert.deepEqual(pages, [1_024, 1_024, 2]);
  const expected = buildSegment(
    Array.from({ length: 2_050 }, (_, position) => {
      const { versionId, text, vector } = rowOf({ versionId: 3, position });
      return { versionId, position, sourceDocId: "d", metadata: {}, indexedText: text, vector };
    }),
  );
  assert.deepEqual(replacements, [expected]);
});

test("a chunk that is missing on a later page ends the repair without a replacement", async () => {
  const { store, replacements } = storeOf(repairOf(1_030), ({ position }) => position === 1_029);
  const repair = repairSegment(TARGET, { store, work, stopping: () => false });
  await assert.rejects(repair, MissingChunksError);
  assert.deepEqual(replacements, []);
});

test("a repair that is stopped, or whose document changes meanwhile, replaces nothing", async () => {
  const stopped = storeOf(repairOf(3));
  assert.equal(await repairSegment(TARGET, { ...stopped, work, stopping: () => true }), "changed");
  const changed = storeOf(repairOf(3), () => true);
  const readRepair = async () => (changed.pages.length === 0 ? repairOf(3) : null);
  const deps = { store: { ...changed.store, readRepair }, work, stopping: () => false };
  assert.equal(await repairSegment(TARGET, deps), "changed");
  assert.deepEqual([stopped.replacements, changed.replacements], [[], []]);
});
