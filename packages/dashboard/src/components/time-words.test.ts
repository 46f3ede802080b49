import assert from "node:assert/strict";
import { test } from "node:test";
import { timeWords } from "./time-words.ts";

test("a time in metadata is written for people, and other values stay as they are", () => {
  assert.match(timeWords("2005-03-08T09:14:00.000Z") ?? "", /^Mar 8, 2005, 9:14\sAM UTC$/u);
  assert.equal(timeWords("2005-03-08T00:00:00Z"), "Mar 8, 2005");
  for (const value of ["2005-03-08", "2005-99-08T00:00:00Z", "1994", 1994, "at 2005-03-08T09:14:00Z"])
    assert.equal(timeWords(value), null);
});
