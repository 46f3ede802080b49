import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { citedParts } from "../src/pages/project/ask/citations.ts";

/** The parts with what they cite in the chunks. */
function cited(summary: string) {
  return citedParts(summary, chunks).map(({ text, places }) => ({
    text,
    cites: places.map(({ chunk, start, end }) => [chunk, chunks[chunk]?.text.slice(start, end)]),
  }));
}

const chunks = [{ text: "Barges are slow.\nThey carry  grain." }, { text: "Locks open at six." }];

test("numbers in brackets are taken out of the summary and lead to the nearest sentence of their chunks", () => {
  assert.deepEqual(cited("Barges carry grain [1], and locks open [2][1]. Nobody knows."), [
    { text: "Barges carry grain", cites: [[0, "They carry  grain."]] },
    {
      text: ", and locks open",
      cites: [
        [1, "Locks open at six."],
        [0, "Barges are slow.\nThey carry  grain."],
      ],
    },
    { text: ". Nobody knows.", cites: [] },
  ]);
});

test("a list of numbers in one bracket leads to each of them", () => {
  assert.deepEqual(
    citedParts("So it is [1, 2].", chunks).map(({ places }) => places.map(({ chunk }) => chunk)),
    [[0, 1], []],
  );
});

test("numbers that no chunk has stay in the text", () => {
  assert.deepEqual(cited("Grain [3] and locks [2]"), [
    { text: "Grain [3] and locks", cites: [[1, "Locks open at six."]] },
  ]);
});

test("an initial ends no sentence", () => {
  const text = "The lock was built by R.G. Thorne and J. K. Pell. It opens at six.";
  assert.deepEqual(
    citedParts(text, [{ text }]).map((part) => part.text),
    ["The lock was built by R.G. Thorne and J. K. Pell. ", "It opens at six."],
  );
});

test("a title before a name ends no sentence", () => {
  const text = "Mr. Lock-It is a play by Dr. Pell of St. Orrin. It opens at six.";
  assert.deepEqual(
    citedParts(text, [{ text }]).map((part) => part.text),
    ["Mr. Lock-It is a play by Dr. Pell of St. Orrin. ", "It opens at six."],
  );
});

test("sentences that a chunk says word for word are cited, whatever the breaks of lines", () => {
  assert.deepEqual(cited("They carry grain. Locks open at six. Not said."), [
    { text: "They carry grain. ", cites: [[0, "They carry  grain."]] },
    { text: "Locks open at six. ", cites: [[1, "Locks open at six."]] },
    { text: "Not said.", cites: [] },
  ]);
});

test("a sentence that a chunk says in a few other words is cited, one that shares a word with it is not", () => {
  assert.deepEqual(cited("All locks open at six."), [
    { text: "All locks open at six.", cites: [[1, "Locks open at six."]] },
  ]);
  assert.deepEqual(cited("Locks were built of oak by monks."), [
    { text: "Locks were built of oak by monks.", cites: [] },
  ]);
});

test("a row that is quoted without the names of its columns is told from one with them", () => {
  const text = "|  | Tern | Gull |\n| --- | --- | --- |\n| Fare | 9 crowns | 7 crowns |";
  const isBare = (line: string) => citedParts(line, [{ text }]).map(({ isBareRow }) => isBareRow === true);
  assert.deepEqual(isBare("Fare; 9 crowns; 7 crowns"), [true]);
  assert.deepEqual(isBare("Fare; Tern: 9 crowns; Gull: 7 crowns"), [false]);
  assert.deepEqual(isBare("Boats sail."), [false]);
});

test("a row that is quoted with the names of its columns leads to the row as it is stored", () => {
  const rows = "| Dr. Berg | 9.50 | a \\| b |\n| Lund | 9.5 |  |\n| Lund | 9.5 | none |";
  const table = `| Inspector of locks | Fee a day | Remark |\n| --- | --- | --- |\n${rows}`;
  const rowsCited = (summary: string) =>
    citedParts(summary, [{ text: "Fees. They rise." }, { text: table }]).map(({ text, places }) => [
      text,
      ...places.map(({ chunk, start, end }) => [chunk, table.slice(start, end)]),
    ]);
  const [berg = "", lund = "", none = ""] = rows.split("\n");
  assert.deepEqual(rowsCited("Inspector of locks: Dr. Berg; Fee a day: 9.50; Remark: a | b\nThey rise."), [
    ["Inspector of locks: Dr. Berg; Fee a day: 9.50; Remark: a | b\n", [1, berg]],
    ["They rise.", [0, table.slice(6, 16)]],
  ]);
  assert.deepEqual(rowsCited("Inspector of locks: Lund; Fee a day: 9.5"), [
    ["Inspector of locks: Lund; Fee a day: 9.5", [1, lund]],
  ]);
  assert.deepEqual(rowsCited("Lund; 9.5; none"), [["Lund; 9.5; none", [1, none]]]);
});

test("each part of a long row leads to the row, also a part of one cell", () => {
  const long = "oak that was felled in the hills above the lake and floated down in spring";
  const rows = [
    `| Skua | ash | 7 m | 1961 | ${long} |`,
    `| Tern | elm | 9 m | 1974 | ${long.replace("oak", "yew")} |`,
  ];
  const table = `| Boat | Keel | Length | Built | Mast |\n|---|---|---|---|---|\n${rows.join("\n")}`;
  const placesOf = (line: string) =>
    citedParts(line, [{ text: table }]).map(({ places }) =>
      places.map(({ start, end }) => table.slice(start, end)),
    );
  for (const line of [
    "Boat: Tern; Keel: elm…",
    "…Length: 9 m; Built: 1974…",
    "…Built: 1974; Mast: yew that was felled in the hills above the lake and floated down in spring",
    "…Mast: yew that was felled in the hills…",
    "Tern; elm…",
  ])
    assert.deepEqual(placesOf(line), [[rows[1]]], line);
  assert.deepEqual(placesOf("…Length: 8 m; Built: 1974…"), [[]]);
});

test("a label with its value leads to their row", () => {
  const table = "| Boat | Tern |\n|---|---|\n| Keel: | elm |\n| Owner | elm |";
  const placesOf = (line: string) =>
    citedParts(line, [{ text: table }]).map(({ places }) =>
      places.map(({ start, end }) => table.slice(start, end)),
    );
  assert.deepEqual(placesOf("Keel: elm"), [["| Keel: | elm |"]]);
  assert.deepEqual(placesOf("Owner: elm"), [["| Owner | elm |"]]);
  assert.deepEqual(placesOf("Boat: Tern"), [["| Boat | Tern |"]]);
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
