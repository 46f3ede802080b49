import assert from "node:assert/strict";
import { test } from "node:test";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { kindNouns } from "./kind-nouns.ts";

const tag = createTagger();

function nounsBeside(text: string, name: string): readonly string[] {
  const tokens = tag(text, { start: 0, end: text.length });
  const mention = findEntityMentions(tokens).find(({ start, end }) => text.slice(start, end) === name);
  assert.ok(mention !== undefined);
  return kindNouns(tokens, mention).map(({ lower }) => lower);
}

const cases: readonly (readonly [string, string, string])[] = [
  ["We visited the Orrick mill in June.", "Orrick", "mill"],
  ["Today the ferry Tessel is late.", "Tessel", "ferry"],
  ["Orrick, a small fish market owned by her aunt, is closed.", "Orrick", "market"],
  ["Orrick is a small bakery in Hollin.", "Orrick", "bakery"],
];

for (const [text, name, noun] of cases)
  test(`"${text}" calls ${name} a ${noun}`, () => assert.ok(nounsBeside(text, name).includes(noun)));

test("a name that nothing is said of has none", () => {
  assert.deepEqual(nounsBeside("Yesterday Orrick fell.", "Orrick"), []);
});
