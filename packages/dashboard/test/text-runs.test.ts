import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chosenChunk, textRuns } from "../src/pages/project/document/text-runs.ts";

test("a text is cut where chunks begin and end, and an overlap belongs to both", () => {
  const chunks = [
    { chunk_id: "a", start: 2, end: 10 },
    { chunk_id: "b", start: 7, end: 15 },
  ];
  assert.deepEqual(textRuns(chunks, { from: 0, to: 20 }), [
    { start: 0, end: 2, chunks: [] },
    { start: 2, end: 7, chunks: [0] },
    { start: 7, end: 10, chunks: [0, 1] },
    { start: 10, end: 15, chunks: [1] },
    { start: 15, end: 20, chunks: [] },
  ]);
});

test("runs have no gap, and each lies in exactly the chunks that hold it", () => {
  const place = fc.tuple(fc.nat(80), fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(fc.array(place, { maxLength: 8 }), (places) => {
      const chunks = places
        .map(([start, length], at) => ({ chunk_id: String(at), start, end: Math.min(100, start + length) }))
        .sort((a, b) => a.start - b.start);
      const runs = textRuns(chunks, { from: 0, to: 100 });
      assert.equal(runs[0]?.start, 0);
      assert.equal(runs.at(-1)?.end, 100);
      for (const [at, run] of runs.entries()) {
        assert.ok(run.start < run.end);
        assert.equal(run.end, runs[at + 1]?.start ?? 100);
        for (let unit = run.start; unit < run.end; unit++) {
          const holding = chunks.flatMap(({ start, end }, index) =>
            start <= unit && unit < end ? [index] : [],
          );
          assert.deepEqual(run.chunks, holding);
        }
      }
    }),
  );
});

test("a marked sentence is a run of its own", () => {
  const chunks = [{ chunk_id: "a", start: 0, end: 20 }];
  assert.deepEqual(textRuns(chunks, { from: 0, to: 20, marked: { start: 5, end: 9 } }), [
    { start: 0, end: 5, chunks: [0] },
    { start: 5, end: 9, chunks: [0] },
    { start: 9, end: 20, chunks: [0] },
  ]);
});

test("where the chunk of an address is gone, that of the marked sentence is chosen", () => {
  const chunks = [
    { chunk_id: "7.0", start: 0, end: 20 },
    { chunk_id: "7.1", start: 18, end: 40 },
  ];
  const chosen = (id: string | null, start?: number) =>
    chosenChunk(chunks, { chosen: id, marked: start === undefined ? null : { start } });
  assert.deepEqual([chosen("7.1"), chosen("7.1", 5), chosen("3.1", 25), chosen(null, 25)], [1, 1, 1, 1]);
  assert.deepEqual([chosen("3.1"), chosen(null), chosen("3.1", 60)], [-1, -1, -1]);
});

test("a text without chunks is one run, and an empty text has none", () => {
  assert.deepEqual(textRuns([], { from: 0, to: 5 }), [{ start: 0, end: 5, chunks: [] }]);
  assert.deepEqual(textRuns([], { from: 0, to: 0 }), []);
});
