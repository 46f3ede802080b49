import assert from "node:assert/strict";
import { test } from "node:test";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { findUnsettledParts } from "../statements/unsettled-parts.ts";
import { choosePairs, isDoubted } from "./pair-reader.ts";
import type { SentenceName } from "./sentence-names.ts";

const tag = createTagger();

/** `pairs`: source, edge type, target, confidence. */
function readPairs(text: string, pairs: readonly (readonly [string, number, string, number])[]) {
  const tokens = tag(text, { start: 0, end: text.length });
  const mentions = findEntityMentions(tokens);
  const nameOf = (name: string): SentenceName => {
    const mention = mentions.find(({ start, end }) => text.slice(start, end) === name);
    assert.ok(mention !== undefined, name);
    return { mention, name, key: name.toLowerCase(), none: 0, logShares: [] };
  };
  const scored = pairs.map(([source, edge, target, confidence]) => {
    return { pair: { source: nameOf(source), edge, target: nameOf(target), features: [] }, confidence };
  });
  return { tokens, scored };
}

const doubted = [
  "Jon Feld did not buy Orrick.",
  "Jon Feld no longer owns Orrick.",
  "Jon Feld might buy Orrick.",
  "If Jon Feld buys Orrick, we leave.",
  "Were Jon Feld to buy Orrick, we would leave.",
  "Jon Feld used to own Orrick.",
  "They claim that Jon Feld owns Orrick.",
  "The claim that Jon Feld owns Orrick was withdrawn.",
  "Jon Feld is said to own Orrick.",
  "Everyone but Jon Feld owns Orrick.",
  "Jon Feld almost bought Orrick.",
  "Jon Feld is by no means the owner of Orrick.",
  "Nobody could say that, since May, Jon Feld owns Orrick.",
];
const plain = [
  "Jon Feld owns Orrick.",
  "It is not true yet; Jon Feld owns Orrick; nobody might know.",
  "Jon Feld owns Orrick, which never opened.",
  "Jon Feld owned Orrick for almost ten years.",
];

for (const text of [...doubted, ...plain])
  test(`"${text}" ${doubted.includes(text) ? "states nothing" : "states something"}`, () => {
    const { tokens, scored } = readPairs(text, [["Jon Feld", 0, "Orrick", 1]]);
    assert.equal(
      scored.every(({ pair }) => isDoubted(pair, tokens, findUnsettledParts(tokens))),
      doubted.includes(text),
    );
  });

function chosen(text: string, pairs: Parameters<typeof readPairs>[1]): readonly string[] {
  const { tokens, scored } = readPairs(text, pairs);
  return choosePairs(scored, tokens).map(
    ({ pair }) => `${pair.source.name} ${pair.edge} ${pair.target.name}`,
  );
}

test("of two readings of a pair the surer one stands", () => {
  const pairs = [
    ["Orrick", 0, "Jon Feld", 0.7],
    ["Jon Feld", 1, "Orrick", 0.8],
  ] as const;
  assert.deepEqual(chosen("Orrick was built by Jon Feld.", pairs), ["Jon Feld 1 Orrick"]);
});

test("names in a list share what is said, others compete", () => {
  const listed = [
    ["Orrick", 0, "Jon Feld", 0.8],
    ["Orrick", 0, "Ida Marsk", 0.7],
  ] as const;
  assert.deepEqual(chosen("Orrick was built by Jon Feld and Ida Marsk.", listed), [
    "Orrick 0 Jon Feld",
    "Orrick 0 Ida Marsk",
  ]);
  assert.deepEqual(chosen("Orrick was built by Jon Feld, whom Ida Marsk knew.", listed), [
    "Orrick 0 Jon Feld",
  ]);
});
