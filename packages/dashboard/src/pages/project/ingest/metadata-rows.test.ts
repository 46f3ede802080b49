import assert from "node:assert/strict";
import { test } from "node:test";
import { metadataOf, rowFault } from "./metadata-rows.ts";

test("typed rows become metadata: numbers where they are written as such, without what is incomplete", () => {
  const rows = [
    { key: " year ", value: "1994" },
    { key: "depth", value: "-2.5" },
    { key: "code", value: "007" },
    { key: "author", value: " Maud Pell " },
    { key: "size", value: "Infinity" },
    { key: "id", value: "90071992547409930" },
    { key: "empty", value: " " },
    { key: "", value: "lost" },
  ];
  assert.deepEqual(metadataOf(rows), {
    ...{ year: 1994, depth: -2.5, code: "007", author: "Maud Pell", size: "Infinity" },
    id: "90071992547409930",
  });
  assert.deepEqual(Object.entries(metadataOf([{ key: "__proto__", value: "x" }])), [["__proto__", "x"]]);
});

test("a value without a key and a key that is there twice are faults", () => {
  const rows = [
    { key: "a", value: "1" },
    { key: "a ", value: "2" },
    { key: "", value: "3" },
    { key: "", value: "" },
    { key: "b", value: "" },
  ];
  assert.deepEqual(
    rows.map((row) => rowFault(row, rows) !== null),
    [true, true, true, false, false],
  );
});
