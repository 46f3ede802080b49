import assert from "node:assert/strict";
import { test } from "node:test";
import { readWords } from "./read-words.ts";

const kind = (source: string, type: string, target: string) => ({
  ...{ type, source: { type: source }, target: { type: target } },
});

test("types, each kind of relationship once, and what is often proposed become a description", () => {
  const founded = kind("Person", "FOUNDED", "Mill");
  assert.equal(
    readWords({
      entityTypes: ["Person", "Mill"],
      relationships: [founded, founded],
      proposals: [
        ...[kind("Person", "TENDS", "Mill"), kind("Person", "TENDS", "Mill"), founded],
        kind("Mill", "NEAR", "Mill"),
      ],
    }),
    "Entities: Person, Mill\nRelationships:\nPerson -> FOUNDED -> Mill\nPerson -> TENDS -> Mill",
  );
});

test("of documents that name nothing there is no description", () => {
  assert.equal(readWords({ entityTypes: [], relationships: [], proposals: [] }), "");
  assert.equal(readWords({ entityTypes: ["Person"], relationships: [], proposals: [] }), "Entities: Person");
});
