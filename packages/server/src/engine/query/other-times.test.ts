import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "../../domain/query.ts";
import type { TimedStatement } from "../../ports/graph-store.ts";
import { findOtherTimes } from "./other-times.ts";
import { asksOfThePast } from "./question-time.ts";

const QUESTION: Question = {
  ...{
    projectId: "p",
    accountId: "a",
    query: "Where is Harrow Mills?",
    topK: 5,
    filter: null,
    mode: "static",
  },
  asOf: { date: "2031-04-09", by: "today" },
};
const CHUNKS = [{ versionId: 1, position: 0 }];

function stated(given: Partial<TimedStatement>): TimedStatement {
  return {
    ...{ versionId: 1, position: 0, start: 0, end: 20, type: "HEADQUARTERED_IN", holds: false },
    ...{ source: "harrow mills", target: "orrin", began: null, told: null, ...given },
  };
}

async function find(
  statements: readonly TimedStatement[],
  {
    linked = ["harrow mills"],
    ...question
  }: Partial<Question> & { readonly linked?: readonly string[] } = {},
) {
  let calls = 0;
  const graph = {
    async readTimedStatements() {
      calls += 1;
      return statements;
    },
  };
  const found = await findOtherTimes({ ...QUESTION, ...question }, { chunks: CHUNKS, linked }, graph);
  return [found.places.map(({ start }) => start), calls];
}

test("a sentence is of another time if what it states of what is asked does not hold", async () => {
  assert.deepEqual(await find([stated({}), stated({ start: 30, end: 50, holds: true })]), [[0], 1]);
  assert.deepEqual(await find([stated({}), stated({ target: "ystad", holds: true })]), [[], 1]);
});

test("what is asked is a relationship of a type that the question has a word for, or of a name with a person or place", async () => {
  const ofOthers = stated({ source: "nordvik", target: "ystad" });
  assert.deepEqual(await find([ofOthers]), [[], 1]);
  assert.deepEqual(await find([ofOthers], { query: "Which firm is headquartered in Ystad?", linked: [] }), [
    [0],
    1,
  ]);
  assert.deepEqual(await find([stated({})], { query: "How large is Harrow Mills?" }), [[], 1]);
});

test("of several that hold a post now the latest is told from those before, where one is asked for", async () => {
  const post = { type: "HOLDS_POST", target: "head of sales", holds: true };
  const statements = [
    stated({ ...post, source: "ida marsk", began: "2019-01-01", start: 0, end: 9 }),
    stated({ ...post, source: "jon feld", began: "2021-09", start: 10, end: 19 }),
    stated({ ...post, source: "jon feld", start: 20, end: 29 }),
    stated({ ...post, source: "per lund", start: 30, end: 39 }),
  ];
  const ages = async (query: string, given = statements) => {
    const graph = { readTimedStatements: async () => given };
    const input = { chunks: CHUNKS, linked: ["head of sales"] };
    const { latest, earlier } = await findOtherTimes({ ...QUESTION, query }, input, graph);
    return [latest, earlier].map((places) => places.map(({ start }) => start));
  };
  for (const query of [
    "Who is head of sales?",
    "Who's the head of sales now?",
    "who is our current head of sales",
  ])
    assert.deepEqual(
      await ages(query),
      [
        [10, 20],
        [0, 30],
      ],
      query,
    );
  const of = (source: string, given: Partial<TimedStatement>, start: number) =>
    stated({ ...post, source, ...given, start, end: start + 9 });
  const who = "Who is head of sales?";
  const announced = of("per lund", { began: "2031-05" }, 20);
  assert.deepEqual(await ages(who, [of("ida marsk", { began: "2019" }, 0), announced]), [[0], []]);
  assert.deepEqual(await ages(who, [announced]), [[], []], "nobody holds it yet");
  const longSince = of("ida marsk", { began: "2009", told: "2030-02-01" }, 0);
  assert.deepEqual(await ages(who, [longSince, of("jon feld", { told: "2014-06-01" }, 10)]), [[0], [10]]);
  const list = of("ida marsk", { began: "2019", told: "2028-10-01" }, 0);
  assert.deepEqual(await ages(who, [list, of("jon feld", { began: "2029" }, 10)]), [[10], [0]]);
  const none = [[], []];
  for (const query of ["Who are the heads of sales?", "Who is Head of Sales?", "Who was head of sales?"])
    assert.deepEqual(await ages(query), none, query);
  assert.deepEqual(await ages("Who is head of sales?", statements.slice(1, 3)), [[10, 20], []]);
  assert.deepEqual(await ages("Who is head of sales?", statements.slice(2)), none);
});

test("nothing is looked up for a question for a time or of the past, or with a filter", async () => {
  const filter = { documents: ["a"] } as unknown as Question["filter"]; // Which does not matter.
  for (const question of [
    { query: "When does Harrow Mills leave Orrin?" },
    { query: "Where was Harrow Mills?" },
    { asOf: null },
    { filter },
  ])
    assert.deepEqual(await find([stated({})], question), [[], 0], JSON.stringify(question));
  const then = { date: "2016", by: "request" } as const;
  assert.deepEqual(await find([stated({})], { query: "Where was Harrow Mills?", asOf: then }), [[0], 1]);
});

test("a question is of the past by its verb", () => {
  for (const query of ["Who was head of sales?", "Who led the team?", "Where did she live?", "Who had it?"])
    assert.equal(asksOfThePast(query), true, query);
  for (const query of [
    "Who leads the team?",
    "Who has left?",
    "Where is it located?",
    "head of sales",
    "Who owns it?",
  ])
    assert.equal(asksOfThePast(query), false, query);
});
