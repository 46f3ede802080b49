import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryIndex } from "../../../test/support/memory-index.ts";
import { DamagedIndexError } from "../../domain/index-damage.ts";
import type { IndexState } from "../../ports/store.ts";
import { buildSegment } from "../index/build.ts";
import { createSegmentReader } from "./segment-reader.ts";

const CACHE_BYTES = 8_192;

/** Segments of one chunk each, about 750 bytes long. */
const segments = [1, 2, 3].map((versionId) =>
  buildSegment([
    {
      versionId,
      sourceDocId: `d${versionId}`,
      position: 0,
      indexedText: "tern",
      metadata: {},
      vector: Float32Array.of(1, 0),
    },
  ]),
);

const state: IndexState = {
  indexVersion: 1,
  graph: "none",
  space: { model: "m", dimensions: 2 },
  vectorSet: 0,
  segments: segments.map(({ byteLength }, at) => ({
    segmentId: at + 1,
    byteLength,
    chunkCount: 1,
    deadChunkCount: 0,
    isDamaged: false,
    dead: [],
    staged: [],
  })),
};

/** A store without the bytes of one segment. `listed`: the state that it returns when it is read again. */
function storeWithout(segmentId: number, listed: IndexState | null = state) {
  return {
    readIndexState: async () => listed,
    async readSegment(key: { readonly segmentId: number }) {
      return key.segmentId === segmentId ? null : (segments[key.segmentId - 1] ?? null);
    },
  };
}

const isDamage = (error: unknown) =>
  error instanceof DamagedIndexError && error.projectId === "p" && error.segmentId === 2;

test("a listed segment without bytes is damaged, whether the index fits into the cache or not", async () => {
  for (const cacheBytes of [CACHE_BYTES, 1]) {
    const { cache } = createMemoryIndex(CACHE_BYTES);
    const reader = createSegmentReader({ store: storeWithout(2), cache, cacheBytes });
    const visit = async () => (await reader.open("p", state))?.visit(() => {});
    await assert.rejects(visit(), isDamage);
  }
});

test("a segment that a merge removed in the meantime makes the state outdated", async () => {
  const listed = {
    ...state,
    indexVersion: 2,
    segments: state.segments.filter(({ segmentId }) => segmentId !== 2),
  };
  for (const after of [listed, null]) {
    const { cache } = createMemoryIndex(CACHE_BYTES);
    const store = storeWithout(2, after);
    assert.equal(await createSegmentReader({ store, cache, cacheBytes: CACHE_BYTES }).open("p", state), null);
    const streamed = await createSegmentReader({ store, cache, cacheBytes: 1 }).open("p", state);
    const seen: number[] = [];
    await streamed?.visit((_segment, place) => void seen.push(place));
    assert.deepEqual([seen, streamed?.isComplete], [[0, 2], false]);
  }
});

test("the event loop turns for each segment that is read, so that a large index does not look like a hang", async () => {
  for (const cacheBytes of [CACHE_BYTES, 1]) {
    const { cache } = createMemoryIndex(CACHE_BYTES);
    let turns = 0;
    let immediate = setImmediate(function count() {
      turns++;
      immediate = setImmediate(count);
    });
    const reader = createSegmentReader({ store: storeWithout(0), cache, cacheBytes });
    await (await reader.open("p", state))?.visit(() => {});
    clearImmediate(immediate);
    assert.ok(turns >= segments.length, `${turns} turns`);
  }
});
