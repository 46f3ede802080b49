import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTypeOf, findCues } from "./summarize-cues.ts";

const strengthsOf = (question: string, sentence: string) =>
  findCues(sentence, { type: answerTypeOf(question), lowerCase: question.toLowerCase() }).map(
    ({ strength }) => strength,
  );

test("a year or a day is a surer date than a century, a month or a day of the week", () => {
  for (const [sentence, strengths] of [
    ["It was built in 1871.", [1]],
    ["It opened on May 4.", [1, 0.5]],
    ["It was built in the 19th century.", [0.9]],
    ["It opens on Mondays.", [0.7]],
    ["It floods every week.", [0.5]],
  ] as const)
    assert.deepEqual(strengthsOf("When is it?", sentence), strengths);
});
