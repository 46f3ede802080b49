import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { SegmentState } from "../../ports/store.ts";
import { MAX_SEGMENT_CHUNKS } from "./format.ts";
import { MERGE_FACTOR, maxSmallSegments, planMerge } from "./merge-plan.ts";

/** A model of a project that counts its chunks instead of storing them. */
interface Model {
  segments: SegmentState[];
  nextId: number;
  /** The total numbers of chunks added, died and written by merges. */
  added: number;
  died: number;
  rewritten: number;
}

function emptyModel(): Model {
  return { segments: [], nextId: 1, added: 0, died: 0, rewritten: 0 };
}

function segmentOf(segmentId: number, chunkCount: number, deadChunkCount = 0): SegmentState {
  return {
    segmentId,
    byteLength: chunkCount,
    chunkCount,
    deadChunkCount,
    isDamaged: false,
    dead: [],
    staged: [],
  };
}

function add(model: Model, chunks: number): void {
  model.segments.push(segmentOf(model.nextId++, chunks));
  model.added += chunks;
}

/** The store removes a segment as soon as all its chunks are dead. */
function kill(model: Model, place: number, chunks: number): void {
  const at = place % Math.max(1, model.segments.length);
  const segment = model.segments[at];
  if (segment === undefined) return;
  const dead = Math.min(segment.chunkCount, segment.deadChunkCount + chunks);
  model.died += dead - segment.deadChunkCount;
  if (dead === segment.chunkCount) model.segments.splice(at, 1);
  else model.segments[at] = segmentOf(segment.segmentId, segment.chunkCount, dead);
}

const liveIn = (segments: readonly SegmentState[]) =>
  segments.reduce((sum, { chunkCount, deadChunkCount }) => sum + chunkCount - deadChunkCount, 0);

/** Applies plans until the project needs no merge; fails if that takes too many merges. */
function settle(model: Model): void {
  for (let merges = 0; ; merges++) {
    const inputs = planMerge(model.segments);
    if (inputs.length === 0) return;
    assert.ok(merges < 10_000, "planning does not terminate");
    const size = liveIn(inputs);
    assert.ok(size <= MAX_SEGMENT_CHUNKS, `${size} chunks in one segment`);
    assert.ok(
      inputs.length > 1 || inputs.some(({ deadChunkCount }) => deadChunkCount > 0),
      "a segment is rewritten unchanged",
    );
    const taken = new Set(inputs.map(({ segmentId }) => segmentId));
    model.segments = model.segments.filter(({ segmentId }) => !taken.has(segmentId));
    model.segments.push(segmentOf(model.nextId++, size));
    model.rewritten += size;
  }
}

function assertInOrder({ segments, added, died, rewritten }: Model): void {
  const live = liveIn(segments);
  const bound = Math.floor(live / (MAX_SEGMENT_CHUNKS / 2)) + maxSmallSegments(live);
  assert.ok(segments.length <= bound, `${segments.length} segments of ${live} chunks; at most ${bound}`);
  for (const { chunkCount, deadChunkCount } of segments) assert.ok(deadChunkCount * 2 <= chunkCount);
  // Up to nine times within the lowest tier, once for each tier above, and again for merges caused by deaths.
  const perChunk = 64 / (MERGE_FACTOR - 1) + Math.log2(Math.max(2, added)) / 3 + 3;
  assert.ok(
    rewritten <= (added + died) * perChunk,
    `${rewritten} chunks written by merges for ${added} added and ${died} dead`,
  );
}

/** Small batches, full batches, and segments of the sizes that merges and repairs produce. */
const chunkCounts = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 8 }) },
  { weight: 4, arbitrary: fc.constant(64) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 4_000, max: MAX_SEGMENT_CHUNKS }) },
);

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("add" as const),
      chunks: chunkCounts,
      times: fc.integer({ min: 1, max: 60 }),
    }),
    fc.record({ kind: fc.constant("kill" as const), place: fc.nat(), chunks: chunkCounts }),
    fc.record({ kind: fc.constant("settle" as const) }),
  ),
  { maxLength: 60 },
);

test("for any additions and deaths, few segments remain, none is too large, and merges write a bounded amount", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const model = emptyModel();
      for (const step of list) {
        if (step.kind === "settle") settle(model);
        else if (step.kind === "kill") kill(model, step.place, step.chunks);
        else for (let time = 0; time < step.times; time++) add(model, step.chunks);
      }
      settle(model);
      assertInOrder(model);
    }),
    { numRuns: 300 },
  );
});

test("a hundred thousand chunks in small batches, merged after each, result in a few segments", () => {
  for (const batch of [1, 7, 64]) {
    const model = emptyModel();
    const chunks = batch === 64 ? 100_000 : 20_000;
    while (model.added < chunks) {
      add(model, batch);
      settle(model);
    }
    assertInOrder(model);
    assert.ok(model.segments.length <= 6 + maxSmallSegments(chunks));
  }
});

test("segments near the size limit do not prevent the merge of others", () => {
  const full = Array.from({ length: 12 }, (_, at) => segmentOf(at + 1, MAX_SEGMENT_CHUNKS - 5));
  const halves = [segmentOf(20, 12_000), segmentOf(21, 11_000)];
  assert.deepEqual(
    planMerge([...full, ...halves]).map(({ segmentId }) => segmentId),
    [21, 20],
  );
  assert.deepEqual(
    planMerge([...full, segmentOf(22, 17_000), segmentOf(23, 17_000), halves[0] ?? segmentOf(1, 1)]),
    [],
  );
});

test("segments in which most chunks are dead are rewritten, several together", () => {
  const mostlyDead = [segmentOf(1, 30_000, 15_001), segmentOf(2, 10, 6), segmentOf(3, 30_000, 10_000)];
  assert.deepEqual(
    planMerge(mostlyDead).map(({ segmentId }) => segmentId),
    [2, 1],
  );
});

test("a merge of nearly empty segments stays within the byte limit", () => {
  const nearlyEmpty = (segmentId: number): SegmentState => ({
    ...segmentOf(segmentId, MAX_SEGMENT_CHUNKS, MAX_SEGMENT_CHUNKS - 10),
    byteLength: 25 << 20,
  });
  let segments = Array.from({ length: 30 }, (_, at) => nearlyEmpty(at + 1));
  for (let merges = 0; segments.some(({ deadChunkCount }) => deadChunkCount > 0); merges++) {
    const inputs = planMerge(segments);
    const bytes = inputs.reduce((sum, { byteLength }) => sum + byteLength, 0);
    assert.ok(inputs.length > 1 && bytes <= 64 << 20, `${inputs.length} segments, ${bytes} bytes`);
    assert.ok(merges < 30);
    segments = segments.filter((segment) => !inputs.includes(segment));
    segments.push(segmentOf(100 + merges, liveIn(inputs)));
  }
});

test("a merge has at most 32 inputs, the smallest ones", () => {
  const segments = Array.from({ length: 40 }, (_, at) => segmentOf(at + 1, 40 - at));
  const smallest = Array.from({ length: 32 }, (_, at) => 40 - at);
  assert.deepEqual(
    planMerge(segments).map(({ segmentId }) => segmentId),
    smallest,
  );
});

test("two segments are merged even if they exceed the byte limit, a third one is not added", () => {
  const large = (segmentId: number): SegmentState => ({
    ...segmentOf(segmentId, 1_000, 900),
    byteLength: 80 << 20,
  });
  assert.deepEqual(
    planMerge([large(1)]).map(({ segmentId }) => segmentId),
    [1],
  );
  assert.deepEqual(
    planMerge([large(1), large(2), large(3)]).map(({ segmentId }) => segmentId),
    [1, 2],
  );
});

test("a segment of which exactly half of the chunks are dead is not rewritten", () => {
  assert.deepEqual(planMerge([segmentOf(1, 30_000, 15_000)]), []);
});

test("segments of up to 4,096 chunks are merged in eights, larger ones in pairs", () => {
  const plan = (count: number, chunks: number) =>
    planMerge(Array.from({ length: count }, (_, at) => segmentOf(at, chunks))).length;
  for (const chunks of [64, 512, 4_096]) assert.deepEqual([plan(7, chunks), plan(8, chunks)], [0, 8]);
  for (const chunks of [4_097, 16_384]) assert.deepEqual([plan(1, chunks), plan(2, chunks)], [0, 2]);
  assert.equal(plan(9, 16_385), 0);
});
