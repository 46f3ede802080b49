import assert from "node:assert/strict";
import { test } from "node:test";
import { readTestPassage } from "../facts/test-sentences.ts";
import { withFoundNames } from "./found-names.ts";

const TEXT = "Ada Holt cleaned the relief valve. Orrick Mill stood still.";
const spanOf = (words: string) => ({
  start: TEXT.indexOf(words),
  end: TEXT.indexOf(words) + words.length,
  score: 0.9,
});

test("found names join those of the rules in their sentence; those that cut a word do not", () => {
  const [first] = readTestPassage(TEXT, {}).passage.sentences;
  const sentence = first ?? assert.fail();
  const known = sentence.mentions.filter(({ kind }) => kind === "proper");
  assert.ok(known.some(({ start, end }) => TEXT.slice(start, end) === "Ada Holt"));
  const names = ["Ada Holt", "relief valve", "lief valve", "Orrick Mill"].map(spanOf);
  const mentions = withFoundNames(
    { ...sentence, mentions: known },
    { names, unreadTypes: new Set(), typesOf: () => null, pairOf: () => null },
  );
  assert.deepEqual(mentions.slice(0, known.length), known);
  assert.deepEqual(
    mentions.slice(known.length).map(({ start, end, kind }) => [TEXT.slice(start, end), kind]),
    [["relief valve", "noun"]],
  );
});
