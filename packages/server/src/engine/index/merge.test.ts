import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { buildSegment, type IndexableChunk } from "./build.ts";
import { mergeSegments } from "./merge.ts";
import { openSegment } from "./segment.ts";

const chunks = fc
  .uniqueArray(
    fc.record({
      versionId: fc.oneof(fc.nat(6), fc.constant(2 ** 40)),
      position: fc.nat(8),
      indexedText: fc
        .array(fc.constantFrom("oil", "oils", "x-1", "é", "漢字", "𝒳y", "ﬀ"), { maxLength: 6 })
        .map((words) => words.join(" ")),
      vector: fc.float32Array({ minLength: 3, maxLength: 3, noNaN: true, noDefaultInfinity: true }),
    }),
    { selector: ({ versionId, position }) => `${versionId}/${position}`, maxLength: 30 },
  )
  .map((parts): IndexableChunk[] =>
    parts.map((part) => ({ ...part, sourceDocId: `doc ${part.versionId % 3}` })),
  );
const segmentsOf = (all: readonly IndexableChunk[], count: number) =>
  Array.from({ length: count }, (_, part) =>
    openSegment(buildSegment(all.filter((_, index) => index % count === part))),
  );

test("a merge is byte for byte the segment of the surviving chunks, in any order and in any steps", () => {
  const dead = fc.uniqueArray(fc.nat(6), { maxLength: 4 }).map((ids) => new Set(ids));
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 5 }), dead, (all, count, hiddenForGood) => {
      const survivors = all.filter(({ versionId }) => !hiddenForGood.has(versionId));
      const wanted = survivors.length === 0 ? null : buildSegment(survivors);
      const inputs = segmentsOf(all, count).map((segment) => ({ segment, hiddenForGood }));
      assert.deepEqual(mergeSegments(inputs), wanted);
      assert.deepEqual(mergeSegments(inputs.toReversed()), wanted);
      const half = mergeSegments(inputs.slice(0, 2));
      const steps = [
        ...(half === null ? [] : [{ segment: openSegment(half), hiddenForGood }]),
        ...inputs.slice(2),
      ];
      assert.deepEqual(mergeSegments(steps), wanted);
    }),
    { numRuns: 200 },
  );
});

test("nothing is left of no segments, of empty ones and of dead ones", () => {
  const chunk = {
    versionId: 4,
    position: 0,
    sourceDocId: "a",
    indexedText: "oil",
    vector: Float32Array.of(1),
  };
  const segment = openSegment(buildSegment([chunk]));
  assert.equal(mergeSegments([]), null);
  assert.equal(mergeSegments([{ segment: openSegment(buildSegment([])), hiddenForGood: new Set() }]), null);
  assert.equal(mergeSegments([{ segment, hiddenForGood: new Set([4]) }]), null);
});

test("segments that share a chunk, or whose vectors differ in length, are refused", () => {
  const chunk = {
    versionId: 4,
    position: 0,
    sourceDocId: "a",
    indexedText: "oil",
    vector: Float32Array.of(1),
  };
  const hiddenForGood = new Set<number>();
  const segment = openSegment(buildSegment([chunk]));
  const longer = openSegment(buildSegment([{ ...chunk, versionId: 5, vector: Float32Array.of(1, 2) }]));
  assert.throws(
    () =>
      mergeSegments([
        { segment, hiddenForGood },
        { segment, hiddenForGood },
      ]),
    RangeError,
  );
  assert.throws(
    () =>
      mergeSegments([
        { segment, hiddenForGood },
        { segment: longer, hiddenForGood },
      ]),
    RangeError,
  );
});
