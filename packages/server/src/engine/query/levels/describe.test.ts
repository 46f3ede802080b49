import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredChunk } from "../../../ports/store.ts";
import { DESCRIPTION_LIMITS, describe } from "./describe.ts";

function chunk(text: string, sourceDocId = "doc"): StoredChunk {
  return { versionId: 1, position: 0, sourceDocId, header: "", text, start: 0, end: text.length };
}
const guild = { names: ["Eastern Guild"], members: [["Brannock"], ["Tessel"], ["Ida Marsk"]] };

test("sentences are verbatim, those with the most names first, and each adds a name", () => {
  const text =
    "Clay is dug in spring. The Eastern Guild unites Brannock and Tessel. Brannock is a kiln near the river. Ida Marsk leads the Eastern Guild.";
  assert.deepEqual(describe(guild, [chunk(text)]), [
    "The Eastern Guild unites Brannock and Tessel.",
    "Ida Marsk leads the Eastern Guild.",
  ]);
});

test("of sentences with the same names, one that begins with the node's name comes first", () => {
  const text = "Clay is what the Eastern Guild sells. The Eastern Guild buys only wood.";
  assert.equal(describe(guild, [chunk(text)])[0], "The Eastern Guild buys only wood.");
});

test("names match whole words in any case", () => {
  assert.deepEqual(describe(guild, [chunk("The tesselations of the floor are famous.")]), []);
  assert.deepEqual(describe(guild, [chunk("Everyone knows TESSEL by its chimney.")]), [
    "Everyone knows TESSEL by its chimney.",
  ]);
});

test("a sentence that refers back is used directly after the one before it, or not at all", () => {
  const text = "It made Brannock rich and known. The kiln of Brannock stands on a hill.";
  assert.deepEqual(describe(guild, [chunk(text)]), ["The kiln of Brannock stands on a hill."]);
  const own = "Ida Marsk leads the Eastern Guild. The Eastern Guild is old. It unites Brannock and Tessel.";
  assert.deepEqual(describe(guild, [chunk(own)]), [
    "Ida Marsk leads the Eastern Guild.",
    "The Eastern Guild is old.",
    "It unites Brannock and Tessel.",
  ]);
});

test("the order of the chunks has no influence, and a repeated sentence is used once", () => {
  const chunks = [
    chunk("The Eastern Guild meets in autumn.", "a"),
    chunk("Tessel was built in 1804.", "b"),
    chunk("The Eastern Guild meets in autumn.", "c"),
  ];
  const description = describe(guild, chunks);
  assert.deepEqual(description, ["The Eastern Guild meets in autumn.", "Tessel was built in 1804."]);
  assert.deepEqual(describe(guild, chunks.toReversed()), description);
});

test("headings, overlong sentences and sentences without a name are left out, and the length is bounded", () => {
  const long = `Brannock ${"and so on ".repeat(100)}ends here.`;
  assert.deepEqual(describe(guild, [chunk(`# Eastern Guild\n\n${long}\n\nNothing of it is here.`)]), []);
  const many = Array.from({ length: 40 }, (_, at) => [`Name${at}`]);
  const text = many.map(([name]) => `${name} is one of those that stand by the river.`).join(" ");
  const description = describe({ names: ["X"], members: many }, [chunk(text)]);
  assert.equal(description.length, DESCRIPTION_LIMITS.sentences);
});
