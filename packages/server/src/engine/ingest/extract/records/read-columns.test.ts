import assert from "node:assert/strict";
import { test } from "node:test";
import { readTestPassage } from "../facts/test-sentences.ts";
import { findTables } from "./find-records.ts";
import { readColumns } from "./read-columns.ts";

/** The names in each value of a table's only column beside a number. */
function namesOf(values: readonly string[]): readonly (readonly string[] | null)[] {
  const rows = values.map((value, at) => `| ${at + 1} | ${value} |`);
  const text = ["| No | Value |", "| --- | --- |", ...rows].join("\n");
  const { passage } = readTestPassage(text, {});
  const [table] = findTables(text);
  assert.ok(table !== undefined);
  const column = readColumns(table, passage)[1];
  return column?.fields.map((field) => field?.entities.map(({ name }) => name) ?? null) ?? [];
}

test("people written as in registers are called by their given names first", () => {
  assert.deepEqual(namesOf(["Feld, Jon", "Marsk, Ida (Dr)", "Tan, Wei Ling", "van der Holt, Ruth"]), [
    ["Jon Feld"],
    ["Ida Marsk"],
    ["Wei Ling Tan"],
    ["Ruth van der Holt"],
  ]);
});

test("of places within others the first part is the name", () => {
  assert.deepEqual(namesOf(["Hollin, France", "Varnholm, France", "Orsk, Sweden"]), [
    ["Hollin"],
    ["Varnholm"],
    ["Orsk"],
  ]);
});

test("lists of different lengths are names each", () => {
  assert.deepEqual(namesOf(["Jon Feld, Ida Marsk", "Per Lund", "Orla Brand, Jon Feld, Ida Marsk"]), [
    ["Jon Feld", "Ida Marsk"],
    ["Per Lund"],
    ["Orla Brand", "Jon Feld", "Ida Marsk"],
  ]);
  assert.deepEqual(namesOf(["R1,R2,C7", "R9"]), [["R1", "R2", "C7"], ["R9"]]);
});

test("a link is called by its text", () => {
  assert.deepEqual(namesOf(["[Orrick][]", "[Tessel](https://mills.example/tessel)"]), [
    ["Orrick"],
    ["Tessel"],
  ]);
});

test("dates, numbers and addresses are no names", () => {
  assert.deepEqual(namesOf(["6 October 2006", "2019", "https://mills.example", "jon@mills.example", ""]), [
    [],
    [],
    [],
    [],
    null,
  ]);
});

test("what is not settled has no names", () => {
  const text = "| Mill | Proposed miller |\n| --- | --- |\n| Orrick | Jon Feld |";
  const { passage } = readTestPassage(text, {});
  const [table] = findTables(text);
  assert.deepEqual(table && readColumns(table, passage)[1]?.fields[0]?.entities, []);
});
