import assert from "node:assert/strict";
import { it } from "node:test";
import { readLexicon } from "../text/names/lexicon.ts";
import { findAntecedent } from "./antecedent.ts";

function antecedentOf(before: string, chunk: string) {
  const text = before + chunk;
  return findAntecedent(text, before.length, readLexicon(text));
}

it("the pronoun that begins a chunk stands for the name that begins the text's last other sentence", () => {
  const before = "Ada Holt was an engineer. She founded the Elm Press. She founded the Oak Press. ";
  assert.deepEqual(antecedentOf(before, "She founded the Ash Press."), { name: "Ada Holt", isPerson: true });
  const firm = "Tarling Mills was founded in Osterby. ";
  assert.deepEqual(antecedentOf(firm, "It closed in 1990."), { name: "Tarling Mills", isPerson: false });
});

it("nobody is meant for sure where another name, another pronoun or no name stands before", () => {
  assert.equal(antecedentOf("Ada Holt met Bea Lind. ", "She was born in Osterby."), null);
  assert.equal(antecedentOf("Ada Holt came. He was late. ", "She left."), null);
  assert.equal(antecedentOf("The weather was fine. ", "She left."), null);
  assert.equal(antecedentOf("Ada Holt came. ", "Nobody left."), null);
  assert.equal(antecedentOf("", "She left."), null);
});

it("a name that is too far away is not looked for", () => {
  const before = `Ada Holt was an engineer. ${"She founded the Elm Press. ".repeat(400)}`;
  assert.equal(antecedentOf(before, "She founded the Ash Press."), null);
});
