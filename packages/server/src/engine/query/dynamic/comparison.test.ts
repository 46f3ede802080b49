import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readComparison, yearOf } from "./comparison.ts";

describe("what is compared by a time", () => {
  const cases: readonly (readonly [string, readonly [string, string], string | null, string, string])[] = [
    [
      "Who died first, Odile Brandt or Maud Pell?",
      ["Odile Brandt", "Maud Pell"],
      null,
      "When did X die?",
      "died earlier",
    ],
    [
      "Which mill was founded more recently, Larkspur Mill or The Old Sheds, Velden?",
      ["Larkspur Mill", "The Old Sheds, Velden"],
      null,
      "When was X founded?",
      "was founded later",
    ],
    [
      "Which song whose singer is younger, Grey Sheds or Rope (1990 song)?",
      ["Grey Sheds", "Rope (1990 song)"],
      "singer",
      "When was X born?",
      "is younger",
    ],
    [
      "Which ferry has the chief engineer who was born earlier, Tessel or Varde?",
      ["Tessel", "Varde"],
      "chief engineer",
      "When was X born?",
      "was born earlier",
    ],
    [
      "Was Larkspur Mill or Ebbford Tower built first?",
      ["Larkspur Mill", "Ebbford Tower"],
      null,
      "When was X built?",
      "was built earlier",
    ],
    [
      "Which is older, Larkspur Mill or Ebbford Tower?",
      ["Larkspur Mill", "Ebbford Tower"],
      null,
      "When was X born or made?",
      "is older",
    ],
  ];
  for (const [query, names, role, asked, verdict] of cases)
    test(query, () => {
      const found = readComparison(query);
      assert.deepEqual(
        [found?.names, found?.role, found?.askTime("X"), found?.verdict],
        [names, role, asked, verdict],
      );
    });
});

test("other questions compare nothing by a time", () => {
  for (const query of [
    "Who founded Larkspur Mill?",
    "Which is taller, Ebbford Tower or Larkspur Mill?",
    "Which came first, Tessel or Varde or Skagen?",
    "Was the first ferry or the last one faster?",
    "Wer starb zuerst, Odile Brandt oder Maud Pell?",
    `Who died first, Odile Brandt or Maud Pell? ${"It matters. ".repeat(60)}`,
  ])
    assert.equal(readComparison(query), null, query);
});

test("the year of a date", () => {
  assert.deepEqual(["3 May 1852", "in 1790", "1852-05-03"].map(yearOf), [1852, 1790, 1852]);
  assert.deepEqual(["May", "", "12 crowns", "18520"].map(yearOf), [null, null, null, null]);
});
