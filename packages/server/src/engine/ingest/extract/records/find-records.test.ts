import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableAround } from "../../../../domain/document.ts";
import { findTables } from "./find-records.ts";

const read = (text: string, around: TableAround | null = null) =>
  findTables(text, around).flatMap(({ records }) =>
    records.map((fields) => fields.map(({ key, start, end }) => `${key}=${text.slice(start, end)}`)),
  );

test("each row of a table is a record with the header's names as keys", () => {
  const rows = [
    ["Mill=Orrick", "Miller=Jon Feld"],
    ["Mill=Tessel", "Miller=Ida Marsk"],
  ];
  assert.deepEqual(read("Mill | Miller\nOrrick | Jon Feld\nTessel | Ida Marsk"), rows);
  assert.deepEqual(read("| Mill | Miller |\n|---|---|\n| Orrick | Jon Feld |\n| Tessel | Ida Marsk |"), rows);
});

test("rows below the column names of a table that begins before the text are records with these keys", () => {
  const around = { columns: "| Mill | Miller |", rows: "| Vessa | Per Lund |\n| Arn | Ida Marsk | 3 |" };
  const rows = "| Orrick | Jon Feld |\n| Tessel | Ida Marsk |";
  assert.deepEqual(read(rows, around), [
    ["Mill=Orrick", "Miller=Jon Feld"],
    ["Mill=Tessel", "Miller=Ida Marsk"],
  ]);
  assert.deepEqual(findTables(`${rows}\n\nThat is all.`, around)[0]?.others, [["Vessa", "Per Lund"]]);
});

test("rows behind the text are others of the table that it ends in, and of no other", () => {
  const around = { columns: "", rows: "| Vessa | Per Lund |" };
  const table = "| Mill | Miller |\n| --- | --- |\n| Orrick | Jon Feld |";
  assert.deepEqual(findTables(table, around)[0]?.others, [["Vessa", "Per Lund"]]);
  assert.deepEqual(findTables(`${table}\n\nThat is all.`, around)[0]?.others, []);
});

test("a row above a rule names the columns, whatever is in it", () => {
  assert.deepEqual(read("| Mill | In 2019 |\n| --- | --- |\n| Orrick | Jon Feld |"), [
    ["Mill=Orrick", "In 2019=Jon Feld"],
  ]);
});

test("lines of pairs are one record, under the title above them", () => {
  const text = "We met at noon.\n\n## Orrick Mill\n\n- Miller: Jon Feld\n- **Town:** Hollin\n\nThat is all.";
  assert.deepEqual(read(text), [["=Orrick Mill", "Miller=Jon Feld", "Town=Hollin"]]);
});

test("several pairs on a line are one record", () => {
  assert.deepEqual(read("Mill: Orrick. Miller: Jon Feld."), [["Mill=Orrick", "Miller=Jon Feld."]]);
  assert.deepEqual(read("Orrick Mill - Miller: Jon Feld - closed"), [["=Orrick Mill", "Miller=Jon Feld"]]);
  assert.deepEqual(read('mill=orrick-2 sent_by="Ida Marsk"'), [["mill=orrick-2", "sent by=Ida Marsk"]]);
});

test("prose is no record", () => {
  assert.deepEqual(
    read("Jon Feld said that the mill stands still. Nobody knew why: it rained.\nThen he left."),
    [],
  );
  assert.deepEqual(read("Remember: the mill is closed."), []);
});
