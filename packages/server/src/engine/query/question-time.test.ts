import assert from "node:assert/strict";
import { test } from "node:test";
import { momentOfQuestion, timeOfQuestion } from "./question-time.ts";

test("a question is of the time that it names", () => {
  for (const [query, expected] of [
    ["Who ran Harrow Mills in 1990?", "1990"],
    ["In 1990, who ran Harrow Mills?", "1990"],
    ["In 1990 who ran Harrow Mills?", "1990"],
    ["Who was head of sales in May 2023?", "2023-05"],
    ["Who was head of production in 1990?", "1990"],
    ["Who was the head of sales in 1990?", "1990"],
    ["Where was the firm on 3 May 2014?", "2014-05-03"],
    ["Where was the firm on May 3, 2014?", "2014-05-03"],
    ["As of 2014, where is the head office?", "2014"],
    ["Who owned Harrow Mills as of March 2014?", "2014-03"],
    ["Who led the team at the end of 2012?", "2012-12-31"],
    ["Who led the team at the end of February 2012?", "2012-02-29"],
    ["Who led the team at the beginning of 2012?", "2012-01-01"],
    ["At the end of 2012, who led the team?", "2012-12-31"],
    ["Who led the team in the year 1990?", "1990"],
    ["Who led the team in late 1990?", "1990"],
    ["Who led the team in 2019-05?", "2019-05"],
    ["Which firm was founded in 1990?", "1990"],
    ["Who joined in 1990?", "1990"],
    ["Which party won in 1990?", "1990"],
    ["Who worked for Harrow Mills and Nordvik Robotics in 1990?", "1990"],
    ["Who led Harrow Inc. in 1990", "1990"],
    ["For which firm did Ada Stone work in 1990?", "1990"],
    ["Which firm did Ada Stone own in 1990?", "1990"],
    ["Where did she live in 1990?", "1990"],
    ["Did the firm move in 1990?", "1990"],
    ["Who led the department in 1990?", "1990"],
    ["What was the population of Leith in 1990?", "1990"],
    ["In 1990, who opposed the merger?", "1990"],
    ["Who owned it in 1990?", "1990"],
    ["Which mill was wholly owned by Ada Stone in 1990?", "1990"],
    ["Who won the Cup of France in 1990?", "1990"],
    ["How many mills did Harrow have in 1990?", "1990"],
    ["Which team was Ada Stone leading in 1990?", "1990"],
    ["Who had been running the mill in 1990?", "1990"],
    ["Where was Harrow Mills headquartered in 1990?", "1990"],
    ["In which town was the mill based in May 2014?", "2014-05"],
    ["By whom was the mill owned in 1990?", "1990"],
    ["Was Ada Stone employed by Harrow Mills in 1990?", "1990"],
    ["What was the town called in 1990?", "1990"],
    ["What post did Ada Stone hold in 1990?", "1990"],
    ["Whom did Ada Stone succeed in 1990?", "1990"],
  ] as const)
    assert.equal(timeOfQuestion(query), expected, query);
});

test("a time that is asked for, is part of a name, describes a thing or is one of several is none", () => {
  for (const query of [
    "When was Harrow Mills founded?",
    "In which year, after 1990, did it move?",
    "What date in May 2014 is the fair?",
    "Who directed 2001: A Space Odyssey?",
    "Who was the architect of the house owned by Ada Stone in 1990?",
    "Who was the founder of the firm led by Ada Stone in 1990?",
    "Who won in 2012 Summer Games?",
    "What failed in 1500 cases?",
    "Which bridge built in 1990 is the longest?",
    "Who designed the bridge built in 1990?",
    "Who wrote the novel set in 1990?",
    "Was it larger in 1990 or in 1995?",
    "Who makes the Mill 2000?",
    "Who was born before 1990?",
    "What happened on 3 May?",
    "Who led it in the 1990s?",
    "Where is the head office?",
    "Who led the firm (1990)?",
    "Who was first in 2004-05?",
    `${"word ".repeat(80)} in 1990`,
  ])
    assert.equal(timeOfQuestion(query), null, query);
});

test("a time of another clause, or of something that happened, is not of what is asked", () => {
  for (const query of [
    "Who led the firm after the merger in 1990?",
    "Who succeeded Ada after she resigned in 1990?",
    "Who has run the firm since it was sold in 1990?",
    "Who owns the company that was founded in 1990?",
    "Where does Ada, who joined in 2015, work now?",
    "Who joined in 2015 and now leads sales?",
    "Who led the firm before it moved in 1990?",
    "What rules apply in 2024 and later?",
    "Which company acquired YouTube after the sale in 2005?",
    "Who works for the man who left in 1990?",
    "Which of the firms owns the mill which closed in 1990?",
    "Who founded Harrow Mills and left in 1990?",
    "Who owns the firm she founded in 1990?",
    "Who works for the firm founded by Ada in 1990?",
    "Who owns the firm Ada ran in 1990?",
    "Who owns the firm Ada Stone founded in 1990?",
    "Who owns the firm Ada was running in 1990?",
    "Who opposed the merger in 1990?",
    "Who paid for the expansion in 1990?",
    "Who told of the riots in 1990?",
    "What came of Ada's resignation in 1990?",
    "Who leads the firm today, unlike in 1990?",
    "Who is currently at the firm founded in 1990?",
    "In 1990 Ada left; who leads the firm?",
    "In 1990, Ada left. Who leads the firm?",
    "In 1990, who led the firm that now owns the mill?",
    "Do you know where Ada is since she left in 1990?",
    "Who has led it until the sale in 1990?",
    "What is the firm called once sold in 1990?",
    "Where is the firm owned by Ada in 1990?",
    "What was the ship launched in 1990?",
    "Where was the mill founded by Ada in 1990?",
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
