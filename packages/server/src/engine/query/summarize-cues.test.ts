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
