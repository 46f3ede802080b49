import assert from "node:assert/strict";
import { test } from "node:test";
import { readWords } from "./read-words.ts";

const kind = (source: string, type: string, target: string, confidence = 0.5) => ({
  ...{ type, source: { type: source }, target: { type: target }, confidence },
});

test("types, each kind of relationship once, and what is often or likely proposed become a description", () => {
  const founded = kind("Person", "FOUNDED", "Mill");
  assert.equal(
    readWords({
      entityTypes: ["Thing", "Person", "Mill"],
      relationships: [founded, founded],
      proposals: [
        ...[kind("Person", "TENDS", "Mill"), kind("Person", "TENDS", "Mill"), founded],
        ...[kind("Mill", "NEAR", "Mill"), kind("Mill", "BUILT_BY", "Person", 0.75)],
        kind("Thing", "PART_OF", "Mill", 0.79),
      ],
    }),
    "Entities: Person, Mill\nRelationships:\nPerson -> FOUNDED -> Mill\nPerson -> TENDS -> Mill\nMill -> BUILT_BY -> Person",
  );
});

test("of documents that name nothing there is no description", () => {
  assert.equal(readWords({ entityTypes: [], relationships: [], proposals: [] }), "");
  assert.equal(readWords({ entityTypes: ["Person"], relationships: [], proposals: [] }), "Entities: Person");
});
