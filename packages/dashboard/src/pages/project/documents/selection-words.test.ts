import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOf, selectionWords } from "./selection-words.ts";

test("what is selected on other pages is told", () => {
  const told = (selected: number, elsewhere: number, most: number | null = null) =>
    selectionWords({ selected, elsewhere, most });
  assert.deepEqual(
    [told(50, 0), told(1_050, 50), told(50, 50), told(1, 1)],
    [
      "50 selected",
      "1,050 selected, 50 of them not on this page",
      "50 selected, none of them on this page",
      "1 selected, not on this page",
    ],
  );
  assert.equal(
    told(500, 450, 520),
    "500 selected of 520, 450 of them not on this page. No more can be selected at once.",
  );
});

test("of many documents the first ones are named", () => {
  const ids = Array.from({ length: 7 }, (_, at) => `note ${at}`);
  assert.equal(namesOf(ids.slice(0, 2)), "“note 0”, “note 1”");
  assert.equal(namesOf(ids), "“note 0”, “note 1”, “note 2”, “note 3”, “note 4” and 2 more documents");
});
