import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf } from "./language.ts";

test("a passage's language is told by its text, and not at all by a few words", () => {
  assert.equal(languageOf("The ferry did not leave because the tide was too low."), "en");
  assert.equal(languageOf("Die Fähre fuhr nicht ab, weil das Wasser zu niedrig stand."), "de");
  assert.equal(languageOf("Le bac n'est pas parti parce que la marée était trop basse."), "fr");
  assert.equal(languageOf("Fähre fährt"), null);
  assert.equal(languageOf("| 12 | 0x3f | 99.1 | — |"), null);
});
