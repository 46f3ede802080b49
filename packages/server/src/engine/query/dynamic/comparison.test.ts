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

describe("the year of the event in a sentence", () => {
  const born = readComparison("Who was born first, Odile Brandt or Maud Pell?")?.event ?? /x/;
  const died = readComparison("Who died first, Odile Brandt or Maud Pell?")?.event ?? /x/;
  const built = readComparison("Which was built first, Ebbford Tower or Larkspur Mill?")?.event ?? /x/;
  const cases: readonly (readonly [string, RegExp | string, number | null])[] = [
    ["The tower was built in May 1790.", built, 1790],
    ["Rope is a 1948 film about a harbour.", built, 1948],
    ["Odile Brandt (3 May 1852 – 1911) kept bees.", born, 1852],
    ["Odile Brandt (3 May 1852 – 1911) kept bees.", died, 1911],
    ["She died in 1931.", died, 1931],
    ["Begun in 1300, it was built by 1410.", built, null],
    ["A plan of 1850 was rejected.", built, null],
    ["It was never built, though a plan of 1850 asked for it.", built, null],
    ["He was not born in 1801.", born, null],
    ["She was born in 1044 BC.", born, null],
    ["It was built long ago.", built, null],
  ];
  for (const [sentence, event, year] of cases)
    test(sentence, () => assert.equal(yearOf(sentence, event), year));
});
