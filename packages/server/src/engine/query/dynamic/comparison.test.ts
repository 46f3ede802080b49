import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readComparison } from "./comparison.ts";

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
      "Which song whose singer is younger, Grey Sheds or Rope?",
      ["Grey Sheds", "Rope"],
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
      "Which film has the director died earlier, Tessel or Varde?",
      ["Tessel", "Varde"],
      "director",
      "When did X die?",
      "died earlier",
    ],
    [
      "Which film has the younger director, Tessel or Varde?",
      ["Tessel", "Varde"],
      "director",
      "When was X born?",
      "is younger",
    ],
    [
      "Whose captain died first, Tessel or Varde?",
      ["Tessel", "Varde"],
      "captain",
      "When did X die?",
      "died earlier",
    ],
    [
      "Was Larkspur Mill or Ebbford Tower built first?",
      ["Larkspur Mill", "Ebbford Tower"],
      null,
      "When was X built?",
      "was built earlier",
    ],
    [
      "Which song was published the earliest, Grey Sheds (1990 song) or Rope?",
      ["Grey Sheds", "Rope"],
      null,
      "When was X published?",
      "was published earlier",
    ],
    [
      "Which ferry has the master born first, Tessel or Varde?",
      ["Tessel", "Varde"],
      "master",
      "When was X born?",
      "was born earlier",
    ],
    [
      "Who lived longer, Odile Brandt or Maud Pell?",
      ["Odile Brandt", "Maud Pell"],
      null,
      "When was X born?",
      "lived longer",
    ],
    [
      "Who was born first Odile Brandt or Maud Pell ?",
      ["Odile Brandt", "Maud Pell"],
      null,
      "When was X born?",
      "was born earlier",
    ],
    [
      "Who is older, Odile Brandt or Maud Pell?",
      ["Odile Brandt", "Maud Pell"],
      null,
      "When was X born?",
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
    "Who didn't die first, Odile Brandt or Maud Pell?",
    "Who did not die first, Odile Brandt or Maud Pell?",
    "Which not died first, Odile Brandt or Maud Pell?",
    "Who died younger, Odile Brandt or Maud Pell?",
    "Who was older when they died, Odile Brandt or Maud Pell?",
    "Who was born to an older mother, Odile Brandt or Maud Pell?",
    "Which was built with a stone first floor, Ebbford Tower or Larkspur Mill?",
    "Which was opened by the first mayor, Ebbford Tower or Larkspur Mill?",
    "Where was the first one born, Odile Brandt or Maud Pell?",
    "Whose first child was born in Velden, Odile Brandt or Maud Pell?",
    "Why did the first one die, Odile Brandt or Maud Pell?",
    "Which mill whose first owner died earlier, Ebbford Tower or Larkspur Mill?",
    "Wer starb zuerst, Odile Brandt oder Maud Pell?",
    `Who died first, Odile Brandt or Maud Pell? ${"It matters. ".repeat(60)}`,
  ])
    assert.equal(readComparison(query), null, query);
});
