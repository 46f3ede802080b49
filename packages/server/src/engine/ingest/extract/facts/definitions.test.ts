import assert from "node:assert/strict";
import { test } from "node:test";
import { createTagger } from "../statements/create-tagger.ts";
import {
  findSmallNames,
  findWorkTitle,
  hasOwnArticle,
  readAsides,
  readDefinitions,
  readTitleDefinition,
} from "./definitions.ts";
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

test("what a sentence calls a work is a title whatever its words, and who makes works is none", () => {
  const titleOf = (text: string) => {
    const tokens = tag(text, { start: 0, end: text.length });
    const title = findWorkTitle(tokens);
    return title === null ? null : text.slice(tokens[title.from]?.start, tokens[title.to - 1]?.end);
  };
  assert.equal(titleOf("Mr. Reed-It Comes Back is a 1918 comedy film."), "Mr. Reed-It Comes Back");
  assert.equal(titleOf("Salt and Copper is a film, based on a novel."), "Salt and Copper");
  assert.equal(titleOf("Ada Larsen is a film and television director."), null);
  assert.equal(titleOf("Mr. Reed is a painter."), null);
});

test("the last of several nouns tells what somebody is", () => {
  const [sentence] = sentencesOf("Ada Larsen is a Danish film, television, and stage actor.");
  assert.deepEqual([...readDefinitions(sentence ?? assert.fail()).values()], ["Person"]);
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
