import assert from "node:assert/strict";
import { it } from "node:test";
import { assertLinear } from "../../../../../test/support/growth.ts";
import { createTagger } from "./create-tagger.ts";

const tag = createTagger();
const tagsOf = (text: string) => tag(text, { start: 0, end: text.length }).map((token) => token.tag);

it("a plural that alone can be the verb of a sentence is its verb", () => {
  assert.deepEqual(tagsOf("Klebsiella pneumoniae causes pneumonia."), [
    "PROPN",
    "NOUN",
    "VERB",
    "NOUN",
    "PUNCT",
  ]);
});

it("a name that reports to another does so, and the causes of something stay things", () => {
  assert.equal(tagsOf("Mira Holt reports to Oskar Lindgren.")[2], "VERB");
  assert.equal(tagsOf("Mira Holt mentors Oskar Lindgren.")[2], "VERB");
  assert.ok(!tagsOf("The reports to the board.").includes("VERB"));
  assert.ok(!tagsOf("Mira Holt reports to Oskar Lindgren").includes("VERB"));
});

it("a heading stays without a verb, and a sentence with one gets no second", () => {
  assert.ok(!tagsOf("Common causes pneumonia").includes("VERB"));
  assert.equal(tagsOf("The main causes were found.").filter((one) => one === "VERB").length, 1);
});

it("nothing is a verb in a title that opens a sentence", () => {
  assert.deepEqual(tagsOf("Dead Leaves is directed by Ada Larsen.").slice(0, 3), ["PROPN", "PROPN", "AUX"]);
});

const tagOf = (text: string, word: string) =>
  tag(text, { start: 0, end: text.length }).find((token) => token.text === word);

it("a name that is written like a verb is none beside another name", () => {
  assert.equal(tagOf("Tessa Moor runs the mill.", "Moor")?.tag, "PROPN");
  assert.equal(tagOf("The bank bought Ravel Marine in 2014.", "Ravel")?.tag, "PROPN");
  assert.equal(tagOf("Ravel Marine merged with a rival.", "Ravel")?.tag, "PROPN");
  assert.equal(tagOf("Help Ada Holt, who was ill.", "Help")?.tag, "VERB");
});

it("what looks like a plural is the verb of a clause that has no other", () => {
  const verb = tagOf("Ursel Beck lives in Varnholm and works for a bank.", "lives");
  assert.deepEqual([verb?.tag, verb?.lemma], ["VERB", "live"]);
  assert.equal(tagOf("Elin Rask, the founder of Tarling, lives in Varnholm.", "lives")?.tag, "VERB");
  assert.equal(tagOf("The River Orvan flows into Lake Miramar.", "flows")?.tag, "VERB");
  assert.equal(tagOf("They lost their lives in Varnholm.", "lives")?.tag, "NOUN");
});

it("what looks like a plural behind a name and “and” is the second verb of the subject", () => {
  for (const text of [
    "She is married to Elin Rask and lives in Varnholm.",
    "He is a nurse and lives in Orsk.",
  ])
    assert.equal(tagOf(text, "lives")?.tag, "VERB", text);
  assert.equal(tagOf("They saved goods and lives in Varnholm.", "lives")?.tag, "NOUN");
  assert.equal(tagOf("Teodor Ilyin lives in Čakovec.", "lives")?.tag, "VERB");
});

it("who married somebody did so", () => {
  const verb = tagOf("She worked at the Lumen Institute and married Karl Brenner.", "married");
  assert.deepEqual([verb?.tag, verb?.lemma], ["VERB", "marry"]);
});

it("the time for hostile addresses grows with their length alone", async () => {
  await assertLinear("tags", 500, (units) => {
    for (const unit of ["https:///@", "@http://!", "://", "http://", "a@b.", "-@http://é"]) {
      const text = unit.repeat(units / unit.length);
      for (let time = 0; time < 10; time++) tag(text, { start: 0, end: text.length });
    }
  });
});

it("words in long runs without white space keep their places", () => {
  const text = `Ida saw ${"https://a.example/".repeat(40)}x and left.`;
  for (const { text: word, start, end } of tag(text, { start: 0, end: text.length }))
    assert.equal(text.slice(start, end), word);
  assert.equal(tag(text, { start: 0, end: text.length }).at(-2)?.text, "left");
});

it("letters beyond western European ones stay in their words", () => {
  const words = (text: string) => tag(text, { start: 0, end: text.length }).map((token) => token.text);
  assert.deepEqual(words("Selin Aktuğ cannot see Jiří Dvořák."), [
    "Selin",
    "Aktuğ",
    "can",
    "not",
    "see",
    "Jiří",
    "Dvořák",
    ".",
  ]);
});
