import assert from "node:assert/strict";
import { it } from "node:test";
import { readLexicon } from "../text/names/lexicon.ts";
import { findAntecedent } from "./antecedent.ts";

function antecedentOf(before: string, chunk: string) {
  const text = before + chunk;
  return findAntecedent(text, before.length, readLexicon(text));
}

it("the pronoun that begins a chunk refers to the name at the beginning of the nearest sentence without it", () => {
  const before = "Ada Holt was an engineer. She founded the Elm Press. She founded the Oak Press. ";
  assert.deepEqual(antecedentOf(before, "She founded the Ash Press."), { name: "Ada Holt", isPerson: true });
  const firm = "Tarling Mills was founded in Osterby. ";
  assert.deepEqual(antecedentOf(firm, "It closed in 1990."), { name: "Tarling Mills", isPerson: false });
});

it("the reference is unknown after another name, another pronoun or no name", () => {
  assert.equal(antecedentOf("Ada Holt met Bea Lind. ", "She was born in Osterby."), null);
  assert.equal(antecedentOf("Ada Holt came. He was late. ", "She left."), null);
  assert.equal(antecedentOf("The weather was fine. ", "She left."), null);
  assert.equal(antecedentOf("Ada Holt came. ", "Nobody left."), null);
  assert.equal(antecedentOf("", "She left."), null);
});

it("a name that is too far away is not found", () => {
  const before = `Ada Holt was an engineer. ${"She founded the Elm Press. ".repeat(400)}`;
  assert.equal(antecedentOf(before, "She founded the Ash Press."), null);
});

it("a sentence whose beginning is cut off by the maximum distance is not used", () => {
  const own = `She founded the Elm Press${" and wrote of it".repeat(8)}. `;
  const after = own.repeat(Math.floor(7_900 / own.length));
  const reached = "Ada Holt,".padEnd(8_000 - after.length - 2, " who came late,");
  assert.equal(antecedentOf(`Nobody had asked ${reached}. ${after}`, "She founded the Ash Press."), null);
  assert.equal(antecedentOf(`${reached}. ${after}`, "She left.")?.name, "Ada Holt");
});
