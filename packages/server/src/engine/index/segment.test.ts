import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findTerm, type ReadTerm, readTerms } from "../../../test/support/segment-terms.ts";
import { SEGMENT_VERSION } from "../../domain/segment-version.ts";
import { indexedTerms } from "../text/terms.ts";
import { buildSegment, type IndexableChunk } from "./build.ts";
import { checksumOf, DamagedSegmentError, MAX_SEGMENT_CHUNKS } from "./format.ts";
import { mergeSegments } from "./merge.ts";
import { openSegment, type Segment } from "./segment.ts";

const chunk = (versionId: number, position: number, indexedText: string): IndexableChunk => {
  const vector = Float32Array.of(versionId, -position, 0.5);
  const sourceDocId = `dok-ß-${String(versionId).padStart(4, "0")}`;
  const metadata = { team: `team ${versionId % 3}`, weight: versionId - 5 };
  return { versionId, position, sourceDocId, metadata, indexedText, vector };
};
const small = [chunk(7, 0, "oil pump"), chunk(7, 1, "oil oil err-40"), chunk(2, 5, "漢字 oil")];

/** The complete content of a segment, by ordinal and by term. */
function contentOf(segment: Segment) {
  const terms: Record<string, ReadTerm["postings"]> = {};
  for (const { term, postings } of readTerms(segment)) terms[term] = postings;
  const chunks = Array.from({ length: segment.chunkCount }, (_, ordinal) => {
    const place = segment.documentOf(ordinal);
    assert.equal(segment.findDocument(segment.versionIdAt(place)), place);
    assert.ok(segment.firstOrdinalAt(place) <= ordinal && ordinal < segment.firstOrdinalAt(place + 1));
    const row = segment.rows.subarray(
      ordinal * segment.stride,
      ordinal * segment.stride + segment.dimensions,
    );
    for (const [index, component] of row.entries()) {
      const signs = segment.signs[ordinal * segment.signStride + (index >> 3)] ?? 0;
      assert.equal((signs >> (index & 7)) & 1, component >= 0 ? 1 : 0);
    }
    return {
      versionId: segment.versionIdAt(place),
      sourceDocId: segment.sourceDocIdAt(place),
      position: segment.positions[ordinal],
      length: segment.lengths[ordinal],
      vector: Array.from(row, (component) => component * (segment.scales[ordinal] ?? 0)),
    };
  });
  return { chunks, terms };
}

test("a segment contains the data of its chunks, ordered by document and position", () => {
  const lengthOf = (text: string) => indexedTerms(text).length;
  const { chunks, terms } = contentOf(openSegment(buildSegment(small)));
  assert.deepEqual(
    chunks.map(({ vector, ...rest }) => rest),
    [
      { versionId: 2, sourceDocId: "dok-ß-0002", position: 5, length: lengthOf("漢字 oil") },
      { versionId: 7, sourceDocId: "dok-ß-0007", position: 0, length: lengthOf("oil pump") },
      { versionId: 7, sourceDocId: "dok-ß-0007", position: 1, length: lengthOf("oil oil err-40") },
    ],
  );
  assert.deepEqual(terms.oil, [
    [0, 1],
    [1, 1],
    [2, 2],
  ]);
  assert.deepEqual(terms.pump, [[1, 1]]);
  const ascending = Object.keys(terms).toSorted((one, other) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other)),
  );
  assert.deepEqual(Object.keys(terms), ascending);
  for (const [ordinal, { vector }] of chunks.entries()) {
    const expected = [small[2], small[0], small[1]][ordinal]?.vector ?? [];
    for (const [index, component] of vector.entries())
      assert.ok(Math.abs(component - (expected[index] ?? 9)) < 0.03);
  }
});

test("any corpus is read back from its segment, whatever the order of the chunks", () => {
  const words = fc.oneof(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.constantFrom("oil", "pump", "\u{10400}x", "\uff21"),
  );
  const corpora = fc.array(fc.array(words, { maxLength: 8 }), { maxLength: 40 });
  fc.assert(
    fc.property(corpora, (corpus) => {
      const all = corpus.map((parts, index) => chunk(Math.floor(index / 4), index % 4, parts.join(" ")));
      const bytes = buildSegment(all);
      const segment = openSegment(bytes);
      const { chunks, terms } = contentOf(segment);
      const found = all.map(({ indexedText }) => indexedTerms(indexedText));
      const bags = found.map(({ terms: bag }) => bag);
      assert.deepEqual(
        chunks.map(({ length }) => length),
        found.map(({ length }) => length),
      );
      assert.equal(
        segment.tokenCount,
        found.reduce((sum, { length }) => sum + length, 0),
      );
      assert.deepEqual(new Set(Object.keys(terms)), new Set(bags.flat()));
      for (const [term, postings] of Object.entries(terms)) {
        const counted = bags.map((bag, index) => [index, bag.filter((other) => other === term).length]);
        assert.deepEqual(
          postings,
          counted.filter(([, count]) => count !== 0),
        );
        assert.equal(findTerm(segment, term)?.chunkCount, postings.length);
        assert.equal(findTerm(segment, `${term}\0`), null);
      }
      assert.deepEqual(buildSegment(all.toReversed()), bytes);
    }),
    { numRuns: 30 },
  );
});

test("a term in all of many chunks, and a long gap, are read back", () => {
  const many = Array.from({ length: 3000 }, (_, index) => {
    const rare = index % 1500 === 1499 ? " rotor" : "";
    return chunk(index, 0, `${"oil ".repeat((index % 300) + 1)}${rare}`);
  });
  const { terms } = contentOf(openSegment(buildSegment(many)));
  assert.deepEqual(
    terms.oil,
    many.map((_, index) => [index, (index % 300) + 1]),
  );
  assert.deepEqual(terms.rotor, [
    [1499, 1],
    [2999, 1],
  ]);
});

test("an empty segment can be opened", () => {
  const segment = openSegment(buildSegment([]));
  assert.equal(segment.chunkCount, 0);
  assert.equal(findTerm(segment, "oil"), null);
  assert.equal(segment.findDocument(0), -1);
});

test("bytes that start at an odd address can be read", () => {
  const bytes = buildSegment(small);
  const pooled = Buffer.alloc(bytes.length + 3);
  pooled.set(bytes, 3);
  assert.deepEqual(contentOf(openSegment(pooled.subarray(3))), contentOf(openSegment(bytes)));
});

test("every flipped byte, every truncation and an appended byte are detected", () => {
  const bytes = buildSegment(small);
  for (let at = 0; at < bytes.length; at++) {
    for (const bits of [1, 0x80, 0xff]) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] ?? 0) ^ bits;
      assert.throws(() => openSegment(damaged), DamagedSegmentError, `byte ${at}`);
    }
    assert.throws(() => openSegment(bytes.slice(0, at)), DamagedSegmentError, `first ${at} bytes`);
  }
  assert.throws(() => openSegment(Uint8Array.from([...bytes, 0])), DamagedSegmentError);
});

/** Calls everything in a segment that depends on its structure. */
function exercise(segment: Segment): void {
  for (const { term, postings } of readTerms(segment)) {
    assert.ok(postings.length <= segment.chunkCount);
    for (const [ordinal] of postings) assert.ok(ordinal < segment.chunkCount);
    findTerm(segment, term);
  }
  const marked = new Uint8Array(segment.documentCount);
  segment.markDocuments({ key: "team", anyOf: ["team 1", "team 2"] }, marked);
  segment.markDocuments({ key: "weight", range: { gte: -10 } }, marked);
  for (let ordinal = 0; ordinal < segment.chunkCount; ordinal++) {
    const place = segment.documentOf(ordinal);
    assert.ok(place >= 0 && place < segment.documentCount);
    segment.placesOf(segment.sourceDocIdAt(place));
    assert.equal(segment.findDocument(segment.versionIdAt(place)), place);
  }
  const merged = mergeSegments([{ segment, deadVersions: new Set([2]) }]);
  if (merged !== null) openSegment(merged);
}

test("a forged segment with a matching checksum never gives chunks out of range", () => {
  const more = Array.from({ length: 9 }, (_, index) => chunk(20 + index, 0, `word${index * 7} oil`));
  const bytes = buildSegment([...small, ...more]);
  let opened = 0;
  for (let at = 12; at < bytes.length; at++) {
    for (const bits of [0xff, 0x01]) {
      const forged = bytes.slice();
      forged[at] = (forged[at] ?? 0) ^ bits;
      new DataView(forged.buffer).setUint32(8, checksumOf(forged, SEGMENT_VERSION), true);
      try {
        const segment = openSegment(forged);
        opened++;
        exercise(segment);
      } catch (error) {
        assert.ok(error instanceof DamagedSegmentError, `byte ${at}: ${error}`);
      }
    }
  }
  assert.ok(opened > 100);
});

test("documents without chunks and positions out of order are detected without the checksum", () => {
  const bytes = buildSegment(small);
  const { positions } = openSegment(bytes);
  positions[2] = positions[1] ?? 0;
  assert.throws(() => openSegment(bytes, { isChecked: true }), DamagedSegmentError);
  const other = buildSegment([chunk(2, 0, "oil"), chunk(7, 1, "oil"), chunk(7, 2, "pump")]);
  const firstOrdinals = new Uint32Array(other.buffer, 64 + 16 + 16, 3);
  assert.deepEqual([...firstOrdinals], [0, 1, 3]);
  firstOrdinals[1] = 3;
  assert.throws(() => openSegment(other, { isChecked: true }), DamagedSegmentError);
});

test("with isChecked the checksum is skipped, but the structure is still checked", () => {
  const bytes = buildSegment(small);
  const damaged = bytes.slice();
  damaged[damaged.length - 1] = 1;
  assert.throws(() => openSegment(damaged), DamagedSegmentError);
  assert.equal(openSegment(damaged, { isChecked: true }).chunkCount, 3);
  assert.throws(() => openSegment(bytes.subarray(0, -16), { isChecked: true }), DamagedSegmentError);
});

test("a segment in shared memory is read in place, its columns at multiples of 16", () => {
  const bytes = buildSegment(small);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 256), 64, bytes.length);
  shared.set(bytes);
  const segment = openSegment(shared);
  assert.deepEqual(contentOf(segment), contentOf(openSegment(bytes)));
  const { rows, scales, lengths, positions, signs, postings } = segment;
  for (const column of [rows, scales, lengths, positions, signs]) assert.equal(column.byteOffset % 16, 0);
  for (const section of [rows, scales, lengths, positions, signs, postings]) {
    assert.equal(section.buffer, shared.buffer);
  }
  const marked = new Uint8Array(segment.documentCount);
  segment.markDocuments({ key: "team", anyOf: ["team 1"] }, marked);
  assert.deepEqual([...marked], [0, 1]);
  const uneven = new Uint8Array(shared.buffer, 72, bytes.length);
  uneven.set(bytes);
  assert.throws(() => openSegment(uneven), RangeError);
});

test("documents are in the order of code units, each with all its versions", () => {
  const ids = fc.constantFrom("", "a", "a\0", "\uff21", "\u{10400}", "\ud7ff", "\u{10ffff}b", "z");
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 20 }), (sourceDocIds) => {
      const versions = sourceDocIds.map((sourceDocId, index) => ({
        sourceDocId,
        versionId: (index * 7) % 23,
      }));
      const segment = openSegment(buildSegment(versions.map((each) => ({ ...chunk(0, 0, "oil"), ...each }))));
      const stored = Array.from({ length: segment.documentCount }, (_, place) => ({
        sourceDocId: segment.sourceDocIdAt(place),
        versionId: segment.versionIdAt(place),
      }));
      const expected = versions.toSorted((one, other) =>
        one.sourceDocId === other.sourceDocId
          ? one.versionId - other.versionId
          : one.sourceDocId < other.sourceDocId
            ? -1
            : 1,
      );
      assert.deepEqual(stored, expected);
      for (const id of [...sourceDocIds, "b", "\u{10000}"]) {
        const { first, end } = segment.placesOf(id);
        const same = expected.filter(({ sourceDocId }) => sourceDocId === id);
        assert.deepEqual(expected.slice(first, end), same);
      }
      for (const [place, { versionId }] of expected.entries()) {
        assert.equal(segment.findDocument(versionId), place);
      }
      assert.equal(segment.findDocument(24), -1);
    }),
  );
});

test("chunks that no segment can represent are rejected", () => {
  const [first = chunk(0, 0, "")] = small;
  for (const chunks of [
    [first, first],
    [first, { ...first, position: 3, sourceDocId: "other" }],
    [first, { ...first, position: 3, vector: Float32Array.of(1) }],
    [{ ...first, vector: Float32Array.of(1, Number.POSITIVE_INFINITY, 0) }],
    [{ ...first, sourceDocId: "\ud800" }],
    [{ ...first, position: -1 }],
    [{ ...first, versionId: 2 ** 53 }],
    [first, { ...first, position: 3, metadata: { team: "other" } }],
    [{ ...first, metadata: { a: Number.NaN } }],
    [{ ...first, metadata: { "a\0": 1 } }],
    [{ ...first, metadata: { a: "\udc00" } }],
    Array.from({ length: MAX_SEGMENT_CHUNKS + 1 }, (_, position) => ({ ...first, position })),
  ]) {
    assert.throws(() => buildSegment(chunks), RangeError);
  }
});
