import assert from "node:assert/strict";
import { test } from "node:test";
import { typeMeant, wordsOf } from "./link-text.ts";

test("a type is read as words, unless it is written in small letters already", () => {
  assert.equal(wordsOf("STEERED_BY"), "steered by");
  assert.equal(wordsOf("steeredBy"), "steeredBy");
});

test("whoever chooses or writes the words of a type means the type", () => {
  const types = ["STEERED_BY", "OWNS", "owns"];
  for (const text of ["steered by", " Steered by ", "STEERED_BY"])
    assert.equal(typeMeant(text, types), "STEERED_BY");
  assert.equal(typeMeant("owns", types), "owns");
  assert.equal(typeMeant(" moored at ", types), "moored at");
});
