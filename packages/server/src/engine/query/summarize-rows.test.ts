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

test("other rows are quoted with the names of their columns", () => {
  assert.match(
    summarize({ query: "What is sold in Kestrel?", chunks: [chunk] }),
    /^title: Kestrel; text: Fish and salt are sold\./,
  );
});

const rowsOf = (text: string, query: string, header = "") =>
  summarize({ query, chunks: [{ ...chunk, text, header }] });

test("a value is said as it is stored, a bar without its mark, and a cell with nothing in it not at all", () => {
  const table = `| **Boat** | Since: | Fare | Remarks |
| :--- | ---: | --- | --- |
| Tern | 2021-03-04 | 1.234,50 € | rope \\| sail |
| Skua | 04/03/21 |  | 12:30; not on 5/6 |`;
  assert.match(
    rowsOf(table, "What is the fare of the Tern?"),
    /^Boat: Tern; Since: 2021-03-04; Fare: 1\.234,50 €; Remarks: rope \| sail$/m,
  );
  assert.match(
    rowsOf(table, "Since when is there the Skua?"),
    /^Boat: Skua; Since: 04\/03\/21; Remarks: 12:30; not on 5\/6$/m,
  );
});

test("what names no columns is quoted above the row, or not at all where the chunk's header is cut", () => {
  const titled = "| Fleet of the bay |  |  |\n| --- | --- | --- |\n| Tern | 9 crowns | 1990 |";
  assert.equal(rowsOf(titled, "What does the Tern cost?"), "Fleet of the bay\nTern; 9 crowns; 1990");
  const bare = "| Skua | 12 | oak |\n| --- | --- | --- |\n| Tern | 9 | pine |";
  assert.equal(rowsOf(bare, "Of what is the Tern?"), "Skua; 12; oak\nTern; 9; pine");
  const row = "| Tern | 9 crowns | 1990 |";
  assert.equal(
    rowsOf(row, "What does the Tern cost?", "Fleet\nBoat | Fare | Built"),
    "Boat: Tern; Fare: 9 crowns; Built: 1990",
  );
  assert.equal(rowsOf(row, "What does the Tern cost?", "Fleet\nBoat | Fare"), "Tern; 9 crowns; 1990");
});

test("years and days are names of columns", () => {
  const table = "| Place | 2017 | 31 Dec 2018 |\n|---|---|---|\n| Orrin | 35 | 37 |\n| Velden | 0 | 26 |";
  assert.match(
    rowsOf(table, "How many lived in Velden in 2018?"),
    /^Place: Velden; 2017: 0; 31 Dec 2018: 26$/m,
  );
});

test("a long row is cut between its cells", () => {
  const names = Array.from({ length: 40 }, (_, at) => `N${at}`);
  const values = names.map((_, at) => `${1_000_000 + at} kg`);
  const table = [names, names.map(() => "---"), values].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const summary = rowsOf(table, "How many kg has N7?");
  for (const [name, value] of summary
    .matchAll(/N\d+: ([^;…]+)/g)
    .map(([all, value]) => [all.split(":")[0], value]))
    assert.equal(value, values[names.indexOf(name ?? "")]);
  assert.match(summary, /^N0: 1000000 kg; .*…$/m);
  assert.doesNotMatch(summary, /\|/);
});
