import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { citedParts } from "../src/pages/project/ask/citations.ts";

const chunks = [{ text: "Barges are slow.\nThey carry  grain." }, { text: "Locks open at six." }];

test("numbers in brackets are taken out of the summary and lead to their chunks", () => {
  assert.deepEqual(citedParts("Barges carry grain [1], and locks open [2][1]. Nobody knows.", chunks), [
    { text: "Barges carry grain", chunks: [0] },
    { text: ", and locks open", chunks: [1, 0] },
    { text: ". Nobody knows.", chunks: [] },
  ]);
});

test("a list of numbers in one bracket leads to each of them", () => {
  assert.deepEqual(citedParts("So it is [1, 2].", chunks), [
    { text: "So it is", chunks: [0, 1] },
    { text: ".", chunks: [] },
  ]);
});

test("numbers that no chunk has stay in the text", () => {
  assert.deepEqual(citedParts("Grain [3] and locks [2]", chunks), [
    { text: "Grain [3] and locks", chunks: [1] },
  ]);
});

test("sentences that a chunk says word for word are cited, whatever the breaks of lines", () => {
  assert.deepEqual(citedParts("They carry grain. Locks open at six. Not said.", chunks), [
    { text: "They carry grain. ", chunks: [0] },
    { text: "Locks open at six. ", chunks: [1] },
    { text: "Not said.", chunks: [] },
  ]);
});

test("of a summary without numbers no character is lost", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (summary) => {
      fc.pre(!/\[\d/.test(summary));
      const parts = citedParts(summary, chunks);
      assert.equal(parts.map(({ text }) => text).join(""), summary);
    }),
  );
});
