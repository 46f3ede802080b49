import assert from "node:assert/strict";
import { test } from "node:test";
import { createTagger } from "../statements/create-tagger.ts";
import { findSmallNames, hasOwnArticle, readAsides, readTitleDefinition } from "./definitions.ts";
import { readTestPassage } from "./test-sentences.ts";

const tag = createTagger();

function read(text: string) {
  const tokens = tag(text, { start: 0, end: text.length });
  const found = readTitleDefinition(tokens);
  if (found === null) return null;
  const title = text.slice(tokens[found.title.from]?.start, tokens[found.title.to - 1]?.end);
  return { title, noun: found.nouns[0] ?? found.verb, hasOwnArticle: hasOwnArticle(found) };
}

test("a sentence that opens with a title says what it is, or what was done to it", () => {
  assert.deepEqual(read("Copper Tides: The Return (2004) is a short animated film directed by Ada Larsen."), {
    title: "Copper Tides: The Return",
    noun: "film",
    hasOwnArticle: true,
  });
  assert.deepEqual(read("The Tarn Valley Museum is a museum in Oslo."), {
    title: "The Tarn Valley Museum",
    noun: "museum",
    hasOwnArticle: false,
  });
  assert.equal(read("The Glass Orchard was written by Ada Larsen.")?.hasOwnArticle, true);
});

test("a sentence that tells something else defines nothing", () => {
  assert.equal(read("In Oslo she was ill."), null);
  assert.equal(read("Copper Tides was not shown."), null);
});

const sentencesOf = (text: string) => readTestPassage(text, {}).passage.sentences;

test("an aside is of the kind that the subject before it names", () => {
  const asides = (text: string) => sentencesOf(text).flatMap((sentence) => [...readAsides(sentence)]);
  assert.deepEqual(asides("Her first novel, The Miller's Oath, was sold in Oslo."), [["4 8", "Work"]]);
  assert.deepEqual(asides("In the city, Ada Larsen, a nurse, was ill."), []);
});

test("a word in small letters that opens a sentence and is called a product is a name", () => {
  const small = (text: string) => [...findSmallNames(sentencesOf(text))];
  assert.deepEqual(small("grepwell is a library for logs."), ["grepwell"]);
  assert.deepEqual(small("Grain is a food. water is a liquid."), []);
});
