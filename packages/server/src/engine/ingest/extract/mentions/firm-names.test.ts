import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { createTagger } from "../statements/create-tagger.ts";
import { findEntityMentions } from "./find-entity-mentions.ts";
import { findFirmNames } from "./firm-names.ts";

const tag = createTagger();

function firmsIn(text: string): readonly string[] {
  const tokens = tag(text, { start: 0, end: text.length });
  return findFirmNames(tokens).map(({ from, to }) => text.slice(tokens[from]?.start, tokens[to - 1]?.end));
}

const cases: readonly (readonly [string, readonly string[]])[] = [
  ["Tarling & Moss opened a shop.", ["Tarling & Moss"]],
  ["She sued O'Dare & Sons Ltd. in May.", ["O'Dare & Sons Ltd."]],
  ["Tarling & Moss, Inc. closed.", ["Tarling & Moss, Inc."]],
  ["Tarling & Moss's rival fell.", ["Tarling & Moss"]],
  ["Moss, Tarling and Partners built it.", ["Moss, Tarling and Partners"]],
  ["It was built for Moss, Tarling, Reed & Vance LLP in 1999.", ["Moss, Tarling, Reed & Vance LLP"]],
  ["In Dundee, Tarling & Moss LLP opened.", ["Tarling & Moss LLP"]],
  ["Anna Moss & Peter Reed came.", []],
  ["Anna & Peter Reed came.", []],
  ["They sell fish & chips.", []],
  ["The Ministry of Trade & Industry agreed.", []],
  ["Moss and Tarling came.", []],
  ["Moss, Tarling and Reed came.", []],
];

for (const [text, expected] of cases) {
  it(`"${text}" has ${expected.length === 0 ? "no firm of several names" : expected.join(", ")}`, () => {
    assert.deepEqual(firmsIn(text), expected);
  });
}

it("a firm's name is one mention, whose parts name nothing", () => {
  const text = "Moss, Tarling and Partners built it.";
  const mentions = findEntityMentions(tag(text, { start: 0, end: text.length }));
  const found = mentions.filter(({ isFirm }) => isFirm).map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(found, ["Moss, Tarling and Partners"]);
  assert.equal(mentions.filter(({ kind }) => kind === "proper").length, 1);
});

it("firms lie within their sentence, in order and apart", () => {
  const word = fc.constantFrom(
    "Ada",
    "Moss",
    "&",
    "and",
    ",",
    "Sons",
    "Ltd.",
    "the",
    "of",
    "Inc",
    "built",
    ".",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (list) => {
      const text = list.join(" ");
      const tokens = tag(text, { start: 0, end: text.length });
      let end = 0;
      for (const { from, to } of findFirmNames(tokens)) {
        assert.ok(from >= end && to > from && to <= tokens.length);
        end = to;
      }
    }),
  );
});
