import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { indexTerms } from "../text/terms.ts";
import { buildSegment, type IndexableChunk } from "./build.ts";
import { DamagedSegmentError } from "./format.ts";
import { openSegment, type Segment } from "./segment.ts";

const chunk = (versionId: number, position: number, indexedText: string): IndexableChunk => {
  const vector = Float32Array.of(versionId, -position, 0.5);
  return { versionId, position, sourceDocId: `dok-ß-${versionId}`, indexedText, vector };
};
const small = [chunk(7, 0, "oil pump"), chunk(7, 1, "oil oil err-40"), chunk(2, 5, "漢字 oil")];

/** Everything a segment says, by ordinal and by term. */
function contentOf(segment: Segment) {
  const terms: Record<string, [number, number][]> = {};
  for (const { term, chunkCount, read } of segment.terms()) {
    const into = { ordinals: new Uint32Array(chunkCount), frequencies: new Uint32Array(chunkCount) };
    assert.equal(read(into, 0, null), chunkCount);
    terms[term] = Array.from(into.ordinals, (ordinal, index) => [ordinal, into.frequencies[index] ?? 0]);
  }
  const chunks = Array.from({ length: segment.chunkCount }, (_, ordinal) => {
    const place = segment.documentOf(ordinal);
    assert.equal(segment.findDocument(segment.versionIdAt(place)), place);
    assert.ok(segment.firstOrdinalAt(place) <= ordinal && ordinal < segment.firstOrdinalAt(place + 1));
    const row = segment.rows.subarray(
      ordinal * segment.stride,
      ordinal * segment.stride + segment.dimensions,
    );
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

test("a segment says what its chunks say, in order of version and position", () => {
  const { chunks, terms } = contentOf(openSegment(buildSegment(small)));
  assert.deepEqual(
    chunks.map(({ vector, ...rest }) => rest),
    [
      { versionId: 2, sourceDocId: "dok-ß-2", position: 5, length: 2 },
      { versionId: 7, sourceDocId: "dok-ß-7", position: 0, length: 2 },
      { versionId: 7, sourceDocId: "dok-ß-7", position: 1, length: 5 },
    ],
  );
  assert.deepEqual(terms.oil, [
    [0, 1],
    [1, 1],
    [2, 2],
  ]);
  assert.deepEqual(terms["err-40"], [[2, 1]]);
  const ascending = Object.keys(terms).toSorted((one, other) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other)),
  );
  assert.deepEqual(Object.keys(terms), ascending);
  for (const [ordinal, { vector }] of chunks.entries()) {
    const wanted = [small[2], small[0], small[1]][ordinal]?.vector ?? [];
    for (const [index, component] of vector.entries())
      assert.ok(Math.abs(component - (wanted[index] ?? 9)) < 0.03);
  }
});

test("any corpus survives the way through the bytes, and the order it came in does not matter", () => {
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
      const bags = all.map(({ indexedText }) => indexTerms(indexedText));
      assert.deepEqual(
        chunks.map(({ length }) => length),
        bags.map((bag) => bag.length),
      );
      assert.equal(segment.tokenCount, bags.flat().length);
      assert.deepEqual(new Set(Object.keys(terms)), new Set(bags.flat()));
      for (const [term, postings] of Object.entries(terms)) {
        const counted = bags.map((bag, index) => [index, bag.filter((other) => other === term).length]);
        assert.deepEqual(
          postings,
          counted.filter(([, count]) => count !== 0),
        );
        assert.equal(segment.findTerm(term)?.chunkCount, postings.length);
        assert.equal(segment.findTerm(`${term}\0`), null);
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

test("a segment of nothing can be opened", () => {
  const segment = openSegment(buildSegment([]));
  assert.equal(segment.chunkCount, 0);
  assert.equal(segment.findTerm("oil"), null);
  assert.equal(segment.findDocument(0), -1);
});

test("bytes that begin at an odd address are read as well", () => {
  const bytes = buildSegment(small);
  const pooled = Buffer.alloc(bytes.length + 3);
  pooled.set(bytes, 3);
  assert.deepEqual(contentOf(openSegment(pooled.subarray(3))), contentOf(openSegment(bytes)));
});

test("every flipped byte, every truncation and every appendix is noticed", () => {
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

test("a blob whose checksum was made to match never leads to chunks that are not there", () => {
  const bytes = buildSegment(small);
  for (let at = 12; at < bytes.length; at++) {
    const forged = bytes.slice();
    forged[at] = (forged[at] ?? 0) ^ 0xff;
    new DataView(forged.buffer).setUint32(8, crc32(forged.subarray(12)), true);
    try {
      const segment = openSegment(forged);
      for (const { chunkCount, read } of segment.terms()) {
        assert.ok(chunkCount <= segment.chunkCount);
        const into = { ordinals: new Uint32Array(chunkCount), frequencies: new Uint32Array(chunkCount) };
        read(into, 0, null);
        for (const ordinal of into.ordinals) assert.ok(ordinal < segment.chunkCount);
      }
    } catch (error) {
      assert.ok(error instanceof DamagedSegmentError || error instanceof TypeError, `byte ${at}: ${error}`);
    }
  }
});

test("what no segment can hold is refused", () => {
  const [first = chunk(0, 0, "")] = small;
  for (const chunks of [
    [first, first],
    [first, { ...first, position: 3, sourceDocId: "other" }],
    [first, { ...first, position: 3, vector: Float32Array.of(1) }],
    [{ ...first, vector: Float32Array.of(1, Number.POSITIVE_INFINITY, 0) }],
    [{ ...first, sourceDocId: "\ud800" }],
    [{ ...first, position: -1 }],
    [{ ...first, versionId: 2 ** 53 }],
  ]) {
    assert.throws(() => buildSegment(chunks), RangeError);
  }
});
