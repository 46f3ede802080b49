import assert from "node:assert/strict";
import { test } from "node:test";
import { buildSegment } from "./build.ts";
import { createDenseScanner, type DenseScanner } from "./dense-scanner.ts";
import { DamagedSegmentError } from "./format.ts";
import type { Segment } from "./segment.ts";
import { createSegmentCache } from "./segment-cache.ts";

const DIMENSIONS = 64;
const blob = (versionId: number, count = 40): Uint8Array =>
  buildSegment(
    Array.from({ length: count }, (_, position) => {
      const vector = Float32Array.from({ length: DIMENSIONS }, (_, index) =>
        Math.sin(versionId + position * index),
      );
      return { versionId, position, sourceDocId: "d", indexedText: `text ${versionId}`, vector };
    }),
  );
const keyOf = (segmentId: number, projectId = "p") => ({ projectId, segmentId });
const size = blob(1).length + 40 * DIMENSIONS;
const roomFor = (count: number, scannerBytes = 1 << 20) => {
  const scanner = createDenseScanner({ maxBytes: scannerBytes });
  return { scanner, cache: createSegmentCache({ maxBytes: size * count + 100, scanner }) };
};
const dotsOf = (segment: Segment) => {
  const out = new Int32Array(segment.chunkCount);
  segment.dots(new Int8Array(segment.stride).fill(3), out);
  return [...out];
};

test("what was used longest ago goes first, and its scanner memory with it", () => {
  const { cache, scanner } = roomFor(2);
  cache.add(keyOf(1), blob(1)).release();
  cache.add(keyOf(2), blob(2)).release();
  cache.find(keyOf(1))?.release();
  cache.add(keyOf(3), blob(3)).release();
  assert.equal(cache.find(keyOf(2)), null);
  assert.notEqual(cache.find(keyOf(1)), null);
  assert.equal(cache.segmentCount, 2);
  assert.equal(cache.usedBytes, 2 * size);
  assert.equal(scanner.heldBytes, 2 << 15);
});

test("a leased segment stays until the last lease is released, once", () => {
  const { cache, scanner } = roomFor(1);
  const first = cache.add(keyOf(1), blob(1));
  const again = cache.find(keyOf(1));
  const wanted = dotsOf(first.segment);
  const second = cache.add(keyOf(2), blob(2));
  assert.equal(cache.segmentCount, 2);
  first.release();
  first.release();
  assert.equal(cache.segmentCount, 2);
  assert.deepEqual(dotsOf(first.segment), wanted);
  again?.release();
  assert.equal(cache.segmentCount, 1);
  assert.equal(cache.find(keyOf(1)), null);
  second.release();
  assert.equal(scanner.heldBytes, 1 << 15);
});

test("a segment given twice is kept once", () => {
  const { cache } = roomFor(3);
  const one = cache.add(keyOf(1), blob(1));
  const other = cache.add(keyOf(1), blob(1));
  assert.equal(one.segment, other.segment);
  assert.equal(cache.usedBytes, size);
});

test("segments of equal ids in two projects are different segments", () => {
  const { cache } = roomFor(3);
  cache.add(keyOf(1, "a"), blob(1)).release();
  assert.equal(cache.find(keyOf(1, "b")), null);
});

test("a project's segments that are merged away are forgotten, leased ones when they come back", () => {
  const { cache, scanner } = roomFor(9);
  const leased = cache.add(keyOf(1), blob(1));
  for (const id of [2, 3]) cache.add(keyOf(id), blob(id)).release();
  cache.add(keyOf(1, "other"), blob(4)).release();
  const wanted = dotsOf(leased.segment);
  cache.retain("p", new Set([3]));
  assert.deepEqual(
    [1, 2].map((id) => cache.find(keyOf(id))),
    [null, null],
  );
  assert.notEqual(cache.find(keyOf(3)), null);
  assert.notEqual(cache.find(keyOf(1, "other")), null);
  assert.deepEqual(dotsOf(leased.segment), wanted);
  assert.equal(scanner.heldBytes, 3 << 15);
  leased.release();
  assert.equal(scanner.heldBytes, 2 << 15);
  assert.equal(cache.usedBytes, 2 * size);
});

test("where the scanner has no room, rows unused for longest give way and all are still scanned", () => {
  const scanner = createDenseScanner({ maxBytes: 1 << 17 });
  const held: string[] = [];
  const hold: DenseScanner["hold"] = (rows) => {
    const isHeld = scanner.hold(rows);
    held.push(`${rows.rows[0]} ${isHeld}`);
    return isHeld;
  };
  const cache = createSegmentCache({
    maxBytes: size * 9,
    scanner: { ...scanner, hold },
  });
  const first = cache.add(keyOf(1), blob(1));
  const second = cache.add(keyOf(2), blob(2));
  const [one, two] = [first, second].map(({ segment }) => segment.rows[0]);
  const wanted = dotsOf(second.segment);
  assert.deepEqual(held, [`${one} true`, `${two} false`]);
  first.release();
  const again = cache.find(keyOf(2));
  assert.deepEqual(held.slice(2), [`${two} false`, `${two} true`]);
  assert.deepEqual(dotsOf(again!.segment), wanted);
  assert.equal(scanner.heldBytes, 1 << 15);
});

test("a damaged segment is not kept", () => {
  const { cache } = roomFor(1);
  const bytes = blob(1);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  assert.throws(() => cache.add(keyOf(1), bytes), DamagedSegmentError);
  assert.equal(cache.usedBytes, 0);
  assert.equal(cache.find(keyOf(1)), null);
});
