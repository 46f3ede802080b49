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

test("other rows of two columns are quoted as a label with its value", () => {
  assert.match(
    summarize({ query: "What is sold in Kestrel?", chunks: [chunk] }),
    /^title: text\nKestrel: Fish and salt are sold\./,
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
  const table =
    "| Mill | 1871 | 4 May 1872 | 1873 |\n|---|---|---|---|\n| Sorrel | 610 | 594 | 702 |\n| Thrush | 88 |  | 93 |";
  assert.match(
    rowsOf(table, "How many sacks had the Thrush in 1873?"),
    /^Mill: Thrush; 1871: 88; 1873: 93$/m,
  );
});

const QUESTION = "What of Sedge?";

/** How the row with "Sedge" is quoted, without what stands above it. */
function sedgeOf(...rows: readonly string[]): string | undefined {
  const [first = "", ...others] = rows.map((row) => `| ${row} |`);
  const rule = `|${" --- |".repeat(first.split("|").length - 2)}`;
  const lines = rowsOf([first, rule, ...others].join("\n"), QUESTION).split("\n");
  return lines.find((line) => line.includes("Sedge"));
}

test("two columns can be pairs of a label and its value, so that their first row names nothing", () => {
  assert.equal(
    rowsOf("| Barge | Curlew |\n|---|---|\n| Lead of Sedge | Ida Vell |", QUESTION),
    "Barge: Curlew\nLead of Sedge: Ida Vell",
  );
  assert.equal(sedgeOf("Barge | Curlew", "Sedge crew | 12", "Tons | 40 000"), "Sedge crew: 12");
  assert.equal(sedgeOf("Barge: | Curlew", "Sedge: | Ida Vell"), "Sedge: Ida Vell");
  assert.equal(sedgeOf("Date | Barge", "1871-05-04 | Sedge"), "1871-05-04; Sedge");
});

test("three columns of words have names where none of these stands below itself again", () => {
  const rows = ["Sedge | Cook | Orrin", "Ida Vell | Mate | Velden"];
  assert.equal(sedgeOf("Name | Role | Town", ...rows), "Name: Sedge; Role: Cook; Town: Orrin");
  assert.equal(sedgeOf("Tove Lank | Cook | Velden", ...rows), "Sedge; Cook; Orrin");
  assert.equal(sedgeOf("Name | Role | Role", ...rows), "Sedge; Cook; Orrin");
  assert.equal(sedgeOf("Name | Role | Town", "Sedge | Cook | Orrin"), "Sedge; Cook; Orrin");
});

test("pairs beside pairs, and a column with words and amounts, have no names", () => {
  const pairs = ["Skipper | Ida Vell | Port | Orrin", "Sedge | Tove Lank | Built | 1871"];
  assert.equal(sedgeOf(...pairs), "Sedge; Tove Lank; Built; 1871");
  assert.equal(
    sedgeOf("Barge | Curlew | Teal", "Sedge skipper | Ida Vell | Tove Lank", "Crew | 12 | 9"),
    "Sedge skipper; Ida Vell; Tove Lank",
  );
  const people = ["Sedge | Cook | Orrin | Lake", "Ida Vell | Mate | Velden | Lake"];
  assert.equal(
    sedgeOf("Name | Role | Town | Area", ...people),
    "Name: Sedge; Role: Cook; Town: Orrin; Area: Lake",
  );
});

test("a first row with a date above dates names nothing, nor one with an amount", () => {
  assert.equal(sedgeOf("Curlew | 1871-05-04 | elm", "Sedge | 1902-11-30 | oak"), "Sedge; 1902-11-30; oak");
  assert.equal(sedgeOf("Curlew | 9 crowns | elm", "Sedge | 7 crowns | oak"), "Sedge; 7 crowns; oak");
  assert.equal(
    sedgeOf("Barge | Built | Mast", "Sedge | 1902-11-30 | oak"),
    "Barge: Sedge; Built: 1902-11-30; Mast: oak",
  );
});

test("a table with a second rule has no names, nor has a row with more cells than names, or one behind a blank line", () => {
  const table = (end: string) => `| Barge | Tons | Mast |\n|---|---|---|\n| Curlew | 40 | elm |\n${end}`;
  const quoted = (end: string) =>
    rowsOf(table(end), QUESTION)
      .split("\n")
      .find((line) => line.includes("Sedge"));
  assert.equal(quoted("| Sedge | 25 | oak |"), "Barge: Sedge; Tons: 25; Mast: oak");
  assert.equal(quoted("| Skipper | Town | Year |\n|---|---|---|\n| Sedge | 25 | oak |"), "Sedge; 25; oak");
  assert.equal(quoted("| Sedge | 25 | oak | new |"), "Sedge; 25; oak; new");
  assert.equal(quoted("\n| Sedge | 25 | oak |"), "Sedge; 25; oak");
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

test("a row about something else that names what is asked, or is called nearly so, does not answer", () => {
  const table = `| Lamp | Made in | Replaced by | Watts | Since |
| --- | --- | --- | --- | --- |
| Vell 20 | Calder | Vell 40 | 20 | 1990 |
| Vell 40 | Orrin | Vell 60 | 40 | 2004 |
| Vell 60 | Thorne |  | 60 | 2017 |`;
  assert.equal(
    rowsOf(table, "Where is the Vell 60 made?"),
    "Lamp: Vell 60; Made in: Thorne; Watts: 60; Since: 2017",
  );
  assert.equal(
    rowsOf(table, "Where is the Vell 40 made?"),
    "Lamp: Vell 40; Made in: Orrin; Replaced by: Vell 60; Watts: 40; Since: 2004",
  );
  const replaced = rowsOf(table, "What is replaced by the Vell 60?");
  assert.match(replaced, /^Lamp: Vell 40;/m);
  assert.match(rowsOf(table, "What else is made like the Vell 60?"), /Vell 40;/);
  assert.match(rowsOf(table, "Which lamp is made in Orrin?"), /Vell 40;/, "a name of no first cell");
});

test("a row whose first cell is the name goes before those that have more", () => {
  const table = `| Boat | Fare | Mast |
| --- | --- | --- |
| Tern Rose II | 9 | oak |
| Tern Rose | 12 | oak |
| Tern Rose III | 15 | pine |`;
  assert.equal(rowsOf(table, "What is the fare of the Tern Rose?"), "Boat: Tern Rose; Fare: 12; Mast: oak");
  assert.equal(
    rowsOf(table, "What is the fare of the Tern Rose III?"),
    "Boat: Tern Rose III; Fare: 15; Mast: pine",
  );
});

test("rows of a table are told from each other over its chunks, of which some show no names of columns", () => {
  const header = "Lamps\n| Lamp | Made in | Replaced by | Since |";
  const chunks = [
    "| Vell 20 | Calder | Vell 40 | 1990 |\n| Vell 40 | Orrin | Vell 60 | 2004 |",
    "| Vell 60 | Thorne |  | planned for 2017 |",
  ].map((text, at) => ({ text, header, versionId: 1, start: 100 * at, similarity: 1 - at / 10 }));
  const first = summarize({ query: "Where is the Vell 60 made?", chunks });
  assert.match(first, /Vell 60; Thorne/);
  assert.doesNotMatch(first, /Vell 20/);
});

test("names without capitals are known by the first cells of rows", () => {
  const table = `| host | owner | since |
| --- | --- | --- |
| mail-1.example | Ada Orr | 1990 |
| mail-2.example | Ida Vane | 2004 |
| mail-21.example | Jon Feld | 2017 |`;
  assert.equal(
    rowsOf(table, "who is the owner of mail-2.example"),
    "host: mail-2.example; owner: Ida Vane; since: 2004",
  );
});
