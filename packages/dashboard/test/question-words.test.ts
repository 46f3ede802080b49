import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { contentWords, markWords } from "../src/pages/project/ask/question-words.ts";

test("words that say nothing of a question's subject are left out", () => {
  assert.deepEqual(contentWords("Where was the founder of the mill born? The founder!"), [
    "founder",
    "mill",
    "born",
  ]);
});

test("forms of a word are marked, words that only begin alike are not", () => {
  const marked = markWords("Ada founded Mills; stations, millions.", ["founder", "mill", "state"]);
  assert.deepEqual(
    marked.filter(({ isMarked }) => isMarked).map(({ text }) => text),
    ["founded", "Mills"],
  );
  assert.deepEqual(markWords("A state.", ["station"]), [{ text: "A state.", isMarked: false }]);
});

test("parts put together are the text again", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(text, text, (passage, question) => {
      const parts = markWords(passage, contentWords(question));
      assert.equal(parts.map((part) => part.text).join(""), passage);
    }),
  );
});
