import assert from "node:assert/strict";
import { test } from "node:test";
import { periodWords, spanWords, timeWords } from "./time-words.ts";

test("a time in metadata is written for people, and other values stay as they are", () => {
  assert.match(timeWords("2005-03-08T09:14:00.000Z") ?? "", /^Mar 8, 2005, 9:14\sAM UTC$/u);
  assert.equal(timeWords("2005-03-08T00:00:00Z"), "Mar 8, 2005");
  assert.equal(timeWords("2005-03-08"), "Mar 8, 2005");
  for (const value of [
    "2005-02-30",
    "2005-03",
    "2005-99-08T00:00:00Z",
    "1994",
    1994,
    "at 2005-03-08T09:14:00Z",
  ])
    assert.equal(timeWords(value), null);
});

test("what holds from a year, month or day is written as precisely as it is known", () => {
  assert.deepEqual(["2005", "2005-03", "2005-03-08", "2005-13"].map(periodWords), [
    ...["2005", "Mar 2005", "Mar 8, 2005", "2005-13"],
  ]);
  const words = (valid_from: string | null, valid_to: string | null) => spanWords({ valid_from, valid_to });
  assert.equal(words("1994-03", "2001"), "from Mar 1994 until 2001");
  assert.equal(words("1994", null), "from 1994");
  assert.equal(words(null, "2001-05-17"), "until May 17, 2001");
  assert.equal(words("2001", "2001"), "in 2001");
  assert.equal(words("2001-05", "2001-05"), "in May 2001");
  assert.equal(words("2001-05-17", "2001-05-17"), "on May 17, 2001");
  assert.equal(words(null, null), "");
});
