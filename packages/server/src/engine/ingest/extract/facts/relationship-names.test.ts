import assert from "node:assert/strict";
import { test } from "node:test";
import { createTagger } from "../statements/create-tagger.ts";
import { findStatements } from "../statements/find-statements.ts";
import { nameOfFrame, nameOfNoun } from "./relationship-names.ts";

const tag = createTagger();

/** The names of a sentence's statements, each with "<" where it runs from object to subject. */
function namesIn(text: string): readonly (string | null)[] {
  const tokens = tag(text, { start: 0, end: text.length });
  return findStatements(tokens, 0).map(({ frame, verb }) => {
    const own = tokens.filter(({ start, end }) => start >= verb.start && end <= verb.end);
    const name = nameOfFrame(frame, own);
    return name === null || name.isVague ? null : `${name.isInverse ? "<" : ""}${name.type}`;
  });
}

const cases: readonly (readonly [string, string | null])[] = [
  ["Ida was born in Oslo.", "BORN_IN"],
  ["The film was directed by Ida.", "DIRECTED_BY"],
  ["Ida directed the film.", "<DIRECTED_BY"],
  ["She lives in Oslo.", "LIVES_IN"],
  ["Ida resided in Oslo.", "LIVES_IN"],
  ["The firm is located in Oslo.", "LOCATED_IN"],
  ["The town is situated in Norway.", "LOCATED_IN"],
  ["The guild was abolished by Olav.", "ABOLISHED_BY"],
  ["She attacked the town.", "ATTACKS"],
  ["She attacks the town.", "ATTACKS"],
  ["Ida has a house.", null],
  ["Ida made a chair.", null],
];

for (const [text, expected] of cases) {
  test(`"${text}" is ${expected ?? "too general for a relationship"}`, () => {
    assert.equal(namesIn(text)[0] ?? null, expected);
  });
}

test("a noun of a predicate names what it is of, where it says enough", () => {
  assert.equal(nameOfNoun("capital", "of")?.type, "CAPITAL_OF");
  assert.equal(nameOfNoun("governor", "of")?.type, "GOVERNOR_OF");
  assert.deepEqual(
    [nameOfNoun("author", "of")?.type, nameOfNoun("author", "of")?.isInverse],
    ["WRITTEN_BY", true],
  );
  assert.equal(nameOfNoun("village", "in")?.type, "LOCATED_IN");
  assert.equal(nameOfNoun("one", "of"), null);
  assert.equal(nameOfNoun("photograph", "in"), null);
});
