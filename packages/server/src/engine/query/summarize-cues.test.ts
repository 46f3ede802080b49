import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTypeOf, findCues } from "./summarize-cues.ts";

const strengthsOf = (question: string, sentence: string) =>
  findCues(sentence, { type: answerTypeOf(question), lowerCase: question.toLowerCase() }).map(
    ({ strength }) => strength,
  );

test("a definition has its subject before the verb, and is surest with an article after it", () => {
  const question = "What is a pump?";
  assert.deepEqual(strengthsOf(question, "A pump or ram is a machine that moves water."), [1]);
  assert.deepEqual(strengthsOf(question, "The pump was once repaired."), [0.7]);
  assert.deepEqual(strengthsOf(question, "The mill is a house with a pump."), []);
});

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
