import assert from "node:assert/strict";
import { test } from "node:test";
import { unsaidWords } from "./unsaid-words.ts";

const sentence = "The Lantern is a 1931 film directed by Maud Pell.";

test("what the sentences do not speak of is named", () => {
  assert.deepEqual(unsaidWords("What is the place of birth of the director of The Lantern?", sentence), [
    "birth",
  ]);
  assert.deepEqual(unsaidWords("Who is the spouse of the director of the film The Lantern?", sentence), [
    "spouse",
  ]);
});

test("forms of a word, kinds of answers and short words are no sign", () => {
  assert.deepEqual(
    unsaidWords("In which year was The Lantern directed, and who is its director?", sentence),
    [],
  );
});

test("of questions in other languages nothing is said", () => {
  assert.deepEqual(unsaidWords("Wo wurde der Regisseur von The Lantern geboren?", sentence), []);
});
