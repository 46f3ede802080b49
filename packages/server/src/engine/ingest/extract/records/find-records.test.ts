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
