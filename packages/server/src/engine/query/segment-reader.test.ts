import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryIndex } from "../../../test/support/memory-index.ts";
import { DamagedIndexError } from "../../domain/index-damage.ts";
import type { IndexState } from "../../ports/store.ts";
import { buildSegment } from "../index/build.ts";
import { createSegmentReader } from "./segment-reader.ts";

const CACHE_BYTES = 8_192;

/** Segments of one chunk each, of some three quarters of a kilobyte. */
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
    ...{ segmentId: at + 1, byteLength, chunkCount: 1, deadChunkCount: 0, isDamaged: false },
    ...{ dead: [], staged: [] },
  })),
};

/** A store that lacks the bytes of one segment; `listed` is its state from the second look on. */
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

test("a segment that is listed without its bytes is damaged, whether the index fits the memory or not", async () => {
  for (const cacheBytes of [CACHE_BYTES, 1]) {
    const { cache } = createMemoryIndex(CACHE_BYTES);
    const reader = createSegmentReader({ store: storeWithout(2), cache, cacheBytes });
    const look = async () => (await reader.open("p", state))?.visit(() => {});
    await assert.rejects(look(), isDamage);
  }
});

test("a segment that a merge has taken away meanwhile makes the state out of date", async () => {
  const listed = {
    ...state,
    indexVersion: 2,
    segments: state.segments.filter(({ segmentId }) => segmentId !== 2),
  };
  for (const after of [listed, null]) {
    const { cache } = createMemoryIndex(CACHE_BYTES);
    const store = storeWithout(2, after);
    assert.equal(await createSegmentReader({ store, cache, cacheBytes: CACHE_BYTES }).open("p", state), null);
    const passing = await createSegmentReader({ store, cache, cacheBytes: 1 }).open("p", state);
    const seen: number[] = [];
    await passing?.visit((_segment, place) => void seen.push(place));
    assert.deepEqual([seen, passing?.isComplete], [[0, 2], false]);
  }
});
