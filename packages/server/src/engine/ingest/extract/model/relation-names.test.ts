import assert from "node:assert/strict";
import { test } from "node:test";
import { createRelationNames } from "./relation-names.ts";

const nameRelation = createRelationNames();

const cases: readonly (readonly [string, string | null])[] = [
  ["was born in", "BORN_IN"],
  ["born in", "BORN_IN"],
  ["BORN_IN", "BORN_IN"],
  ["was founded by", "FOUNDED_BY"],
  ["founded", "<FOUNDED_BY"],
  ["is the author of", "<WRITTEN_BY"],
  ["is located in", "LOCATED_IN"],
  ["resided in", "LIVES_IN"],
  ["attacked", "ATTACKS"],
  ["was abolished by", "ABOLISHED_BY"],
  ["is the current editor of", "EDITOR_OF"],
  ["is", null],
  ["has", null],
  ["include", null],
  ["in 1963 became", null],
  ["", null],
];

for (const [words, expected] of cases) {
  test(`"${words}" is ${expected ?? "no relationship"}`, () => {
    const named = nameRelation(words);
    assert.equal(named === null ? null : `${named.isInverse ? "<" : ""}${named.type}`, expected);
  });
}
