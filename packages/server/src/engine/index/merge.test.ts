import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findTerm } from "../../../test/support/segment-terms.ts";
import type { Metadata } from "../../domain/metadata.ts";
import { buildSegment, type IndexableChunk } from "./build.ts";
import { MAX_SEGMENT_CHUNKS } from "./format.ts";
import { mergeSegments } from "./merge.ts";
import { openSegment } from "./segment.ts";

const METADATA: readonly Metadata[] = [
  {},
  { team: "red", year: 2001 },
  { team: "\u{10400}", year: -1.5, "\uff21": "1" },
  { year: 2001, "\u{10400}": 1 },
];
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
    parts.map((part) => {
      const { versionId } = part;
      const sourceDocId = ["doc", "\uff21", "\u{10400}"][versionId % 3] ?? "";
      return { ...part, sourceDocId, metadata: METADATA[versionId % METADATA.length] ?? {} };
    }),
  );
const segmentsOf = (all: readonly IndexableChunk[], count: number) =>
  Array.from({ length: count }, (_, part) =>
    openSegment(buildSegment(all.filter((_, index) => index % count === part))),
  );

test("a merge is byte-identical to the segment built of the surviving chunks, in any order and in any steps", () => {
  const dead = fc.uniqueArray(fc.nat(6), { maxLength: 4 }).map((ids) => new Set(ids));
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 5 }), dead, (all, count, deadVersions) => {
      const survivors = all.filter(({ versionId }) => !deadVersions.has(versionId));
      const expected = survivors.length === 0 ? null : buildSegment(survivors);
      const inputs = segmentsOf(all, count).map((segment) => ({ segment, deadVersions }));
      assert.deepEqual(mergeSegments(inputs), expected);
      assert.deepEqual(mergeSegments(inputs.toReversed()), expected);
      const half = mergeSegments(inputs.slice(0, 2));
      const steps = [
        ...(half === null ? [] : [{ segment: openSegment(half), deadVersions }]),
        ...inputs.slice(2),
      ];
      assert.deepEqual(mergeSegments(steps), expected);
    }),
    { numRuns: 200 },
  );
});

test("rare and frequent terms of many interleaved inputs are merged correctly", () => {
  const all = Array.from({ length: 400 }, (_, index): IndexableChunk => {
    const rare = index % 41 === 0 ? "rotor ".repeat(1 + (index % 3)) : "";
    const versionId = (index * 7) % 100;
    return {
      versionId,
      position: Math.floor(index / 100),
      sourceDocId: `d${versionId % 50}`,
      metadata: METADATA[versionId % METADATA.length] ?? {},
      indexedText: `oil ${rare} word${index % 60}`,
      vector: Float32Array.of(index, -1),
    };
  });
  for (const deadVersions of [new Set<number>(), new Set([0, 5, 77])]) {
    const inputs = segmentsOf(all, 7).map((segment) => ({ segment, deadVersions }));
    const expected = buildSegment(all.filter(({ versionId }) => !deadVersions.has(versionId)));
    assert.deepEqual(mergeSegments(inputs), expected);
  }
});

test("a merge of no segments, empty ones or dead ones gives null", () => {
  const chunk = {
    versionId: 4,
    position: 0,
    sourceDocId: "a",
    metadata: {},
    indexedText: "oil",
    vector: Float32Array.of(1),
  };
  const segment = openSegment(buildSegment([chunk]));
  assert.equal(mergeSegments([]), null);
  assert.equal(mergeSegments([{ segment: openSegment(buildSegment([])), deadVersions: new Set() }]), null);
  assert.equal(mergeSegments([{ segment, deadVersions: new Set([4]) }]), null);
});

test("segments with a common chunk, contradictory documents or different dimensions are rejected", () => {
  const chunk: IndexableChunk = {
    versionId: 4,
    position: 0,
    sourceDocId: "a",
    metadata: { team: "red" },
    indexedText: "oil",
    vector: Float32Array.of(1),
  };
  for (const other of [
    chunk,
    { ...chunk, versionId: 5, vector: Float32Array.of(1, 2) },
    { ...chunk, position: 1, sourceDocId: "b" },
    { ...chunk, position: 1, metadata: {} },
    { ...chunk, position: 1, metadata: { team: "blue" } },
    { ...chunk, position: 1, metadata: { team: "red", year: 1 } },
  ]) {
    const inputs = [[chunk], [other]].map((chunks) => ({
      segment: openSegment(buildSegment(chunks)),
      deadVersions: new Set<number>(),
    }));
    assert.throws(() => mergeSegments(inputs), RangeError);
    assert.throws(() => mergeSegments(inputs.toReversed()), RangeError);
  }
});

test("a merge above the chunk limit is rejected; dead chunks do not count", () => {
  const part = (versionId: number, count: number) =>
    openSegment(
      buildSegment(
        Array.from({ length: count }, (_, position) => ({
          versionId,
          position,
          sourceDocId: `d${versionId}`,
          metadata: {},
          indexedText: "oil",
          vector: Float32Array.of(1),
        })),
      ),
    );
  const segments = [part(1, MAX_SEGMENT_CHUNKS - 2), part(2, 2), part(3, 1)];
  const merge = (dead: readonly number[]) =>
    mergeSegments(segments.map((segment) => ({ segment, deadVersions: new Set(dead) })));
  assert.throws(() => merge([]), RangeError);
  const merged = openSegment(merge([3]) ?? new Uint8Array());
  assert.equal(merged.chunkCount, MAX_SEGMENT_CHUNKS);
  assert.equal(findTerm(merged, "oil")?.chunkCount, MAX_SEGMENT_CHUNKS);
});
