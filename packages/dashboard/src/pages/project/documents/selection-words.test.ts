import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOf, selectionWords } from "./selection-words.ts";

test("what is selected on other pages is told", () => {
  assert.deepEqual(
    [selectionWords(50, 0), selectionWords(1_050, 50), selectionWords(50, 50), selectionWords(1, 1)],
    [
      "50 selected",
      "1,050 selected, 50 of them not on this page",
      "50 selected, none of them on this page",
      "1 selected, not on this page",
    ],
  );
});

test("of many documents the first ones are named", () => {
  const ids = Array.from({ length: 7 }, (_, at) => `note ${at}`);
  assert.equal(namesOf(ids.slice(0, 2)), "“note 0”, “note 1”");
  assert.equal(namesOf(ids), "“note 0”, “note 1”, “note 2”, “note 3”, “note 4” and 2 more documents");
});
