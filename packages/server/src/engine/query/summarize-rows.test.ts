import assert from "node:assert/strict";
import { test } from "node:test";
import { candidatesAt } from "./summarize-candidates.ts";
import { summarize } from "./test-summarize.ts";

const KEPT = "The lamp of the Ebbford Tower was kept by Odile Brandt, who lived beside it with nine cats.";
const LIT = "It was lit for the first time in May 1790, before a crowd from all the villages of the bay.";
const SHEET = `| title | text |
| --- | --- |
| Grey Sheds | ${"Grey Sheds is a row of houses by the harbour in which ropes were made for ships \\| boats. ".repeat(2).trim()} |
| Ebbford Tower | ${KEPT} ${LIT} |
| Kestrel | Fish and salt are sold. |`;

const chunk = { text: SHEET, versionId: 1, start: 50, similarity: 1 };

test("prose in a cell is quoted by its sentences, below the first cell of its row", () => {
  const query = "Who kept the lamp of the Ebbford Tower?";
  assert.match(summarize({ query, chunks: [chunk] }), new RegExp(`^Ebbford Tower\n${KEPT}`));
  assert.doesNotMatch(summarize({ query, chunks: [chunk] }), /\|/);
});

test("a place that was read in such a cell is quoted by its sentence", () => {
  const start = chunk.start + SHEET.indexOf("1790");
  const found = candidatesAt([chunk], { versionId: 1, start, end: start + 4 });
  assert.deepEqual(
    found.map(({ text, lead }) => [text, lead]),
    [[LIT, "Ebbford Tower"]],
  );
});

test("other rows are quoted as they are, below their columns", () => {
  assert.match(
    summarize({ query: "What is sold in Kestrel?", chunks: [chunk] }),
    /\| title \| text \|\n\| Kestrel \| Fish and salt are sold\. \|/,
  );
});
