import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Metadata, MetadataCondition, MetadataValue, NumberRange } from "../../domain/metadata.ts";
import { buildSegment } from "./build.ts";
import { metadataTerm, metadataTerms } from "./metadata-terms.ts";
import { openSegment } from "./segment.ts";

const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1, -1, 10, Number.MIN_VALUE, -Number.MIN_VALUE, Number.MAX_VALUE, -1e-300),
);
const values: fc.Arbitrary<MetadataValue> = fc.oneof(
  numbers,
  fc.constantFrom("", "1", "10", "n", "s", "\uff21", "\u{10400}", "a\0b", "o".repeat(512)),
);
const keys = fc.constantFrom("", "a", "an", "ao", "n", "\uff21", "\u{10400}", "k".repeat(64), "__proto__");
const entries = fc.array(fc.tuple(keys, values), { maxLength: 5 });
const metadata: fc.Arbitrary<Metadata> = entries.map((pairs) => Object.fromEntries(pairs));
const bounds = fc.oneof(
  numbers,
  fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN),
);
const conditions: fc.Arbitrary<MetadataCondition> = fc.oneof(
  fc.record({
    key: keys,
    anyOf: fc.array(fc.oneof(values, fc.constantFrom("\ud800", Number.NaN)), { maxLength: 4 }),
  }),
  fc.record({
    key: keys,
    range: fc.record({ gt: bounds, gte: bounds, lt: bounds, lte: bounds }, { requiredKeys: [] }),
  }),
);

function matches(document: Metadata, condition: MetadataCondition): boolean {
  if (!Object.hasOwn(document, condition.key)) return false;
  const value = document[condition.key];
  if ("anyOf" in condition) return condition.anyOf.some((allowed) => allowed === value);
  const { gt, gte, lt, lte } = condition.range;
  return (
    typeof value === "number" &&
    (gt === undefined || value > gt) &&
    (gte === undefined || value >= gte) &&
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte)
  );
}

test("terms of numbers sort like the numbers", () => {
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const [first = "", second = ""] = [one, other].map((value) => metadataTerm("k", value) ?? "");
      assert.equal(first < second, one < other);
      assert.equal(first === second, one === other);
    }),
  );
});

test("a condition marks exactly the matching documents", () => {
  fc.assert(
    fc.property(
      fc.array(metadata, { maxLength: 40 }),
      fc.array(conditions, { maxLength: 12 }),
      (all, requested) => {
        const segment = openSegment(
          buildSegment(
            all.map((each, index) => ({
              versionId: index,
              position: 0,
              sourceDocId: `d${String(index).padStart(3, "0")}`,
              metadata: each,
              indexedText: "",
              vector: Float32Array.of(1),
            })),
          ),
        );
        for (const condition of requested) {
          const marked = new Uint8Array(all.length);
          segment.markDocuments(condition, marked);
          assert.deepEqual(
            [...marked],
            all.map((each) => (matches(each, condition) ? 1 : 0)),
          );
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("inclusive and exclusive bounds are distinguished", () => {
  const chunk = { position: 0, indexedText: "", vector: Float32Array.of(1) };
  const segment = openSegment(
    buildSegment(
      [-2.5, -1, -0, 1, 2.5].map((level, index) => ({
        ...chunk,
        versionId: index,
        sourceDocId: `d${index}`,
        metadata: { level },
      })),
    ),
  );
  const marksOf = (range: NumberRange) => {
    const marked = new Uint8Array(segment.documentCount);
    segment.markDocuments({ key: "level", range }, marked);
    return [...marked];
  };
  assert.deepEqual(marksOf({ lte: 1 }), [1, 1, 1, 1, 0]);
  assert.deepEqual(marksOf({ lt: 1 }), [1, 1, 1, 0, 0]);
  assert.deepEqual(marksOf({ gte: -1 }), [0, 1, 1, 1, 1]);
  assert.deepEqual(marksOf({ gt: -1 }), [0, 0, 1, 1, 1]);
  assert.deepEqual(marksOf({ gte: 0, lte: 0 }), [0, 0, 1, 0, 0]);
  assert.deepEqual(marksOf({ gt: 0, lte: 0 }), [0, 0, 0, 0, 0]);
});

test("existing marks are kept", () => {
  const chunk = { versionId: 1, position: 0, indexedText: "", vector: Float32Array.of(1) };
  const segment = openSegment(
    buildSegment([
      { ...chunk, sourceDocId: "a", metadata: { year: 1 } },
      { ...chunk, versionId: 2, sourceDocId: "b", metadata: { year: 2 } },
    ]),
  );
  const marked = Uint8Array.of(1, 0);
  segment.markDocuments({ key: "year", anyOf: [2] }, marked);
  segment.markDocuments({ key: "year", anyOf: [3] }, marked);
  assert.deepEqual([...marked], [1, 1]);
});

test("metadata that the index could not distinguish is rejected", () => {
  for (const bad of [
    { "a\0b": 1 },
    { a: Number.POSITIVE_INFINITY },
    { "\ud800": 1 },
    { a: "x".repeat(1025) },
  ]) {
    assert.throws(() => metadataTerms(bad), RangeError);
  }
});
