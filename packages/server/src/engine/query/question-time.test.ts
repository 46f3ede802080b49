import assert from "node:assert/strict";
import { test } from "node:test";
import { momentOfQuestion, timeOfQuestion } from "./question-time.ts";

test("a question is of the time that it names", () => {
  for (const [query, expected] of [
    ["Who ran Harrow Mills in 1990?", "1990"],
    ["In 1990, who ran Harrow Mills?", "1990"],
    ["Who was head of sales in May 2023?", "2023-05"],
    ["Where was the firm on 3 May 2014?", "2014-05-03"],
    ["As of 2014, where is the head office?", "2014"],
    ["Who led the team at the end of 2012?", "2012-12-31"],
    ["Who led the team at the end of February 2012?", "2012-02-29"],
    ["Who led the team at the beginning of 2012?", "2012-01-01"],
    ["Which firm was founded in 1990?", "1990"],
    ["Who joined in 1990?", "1990"],
    ["Who worked for Harrow Mills during 1990 and where?", "1990"],
  ] as const)
    assert.equal(timeOfQuestion(query), expected, query);
});

test("a time that is asked for, is part of a name, describes a thing or is one of several is none", () => {
  for (const query of [
    "When was Harrow Mills founded?",
    "In which year, after 1990, did it move?",
    "What date in May 2014 is the fair?",
    "Who directed 2001: A Space Odyssey?",
    "Who won in 2012 Summer Games?",
    "What failed in 1500 cases?",
    "Which bridge built in 1990 is the longest?",
    "Was it larger in 1990 or in 1995?",
    "Who makes the Mill 2000?",
    "Who was born before 1990?",
    "What happened on 3 May?",
    "Who led it in the 1990s?",
    "Where is the head office?",
    `${"word ".repeat(80)} in 1990`,
  ])
    assert.equal(timeOfQuestion(query), null, query);
});

test("a time of the request comes before that of the question, and without both it is today", () => {
  const query = "Who ran Harrow Mills in 1990?";
  const now = Date.UTC(2031, 3, 9);
  assert.deepEqual(momentOfQuestion({ query }, now), { date: "1990", by: "question" });
  assert.deepEqual(momentOfQuestion({ query, asOf: "2001" }, now), { date: "2001", by: "request" });
  assert.deepEqual(momentOfQuestion({ query: "Who?" }, now), { date: "2031-04-09", by: "today" });
});
