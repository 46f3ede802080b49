import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RankedChunk } from "../../../domain/query.ts";
import { findBridgeNames } from "./bridge-names.ts";
import { followUp } from "./follow-up.ts";
import { readJudgement, readPlan } from "./model/read-replies.ts";
import { namesInQuestion } from "./question-names.ts";
import { splitQuestion } from "./split-question.ts";

function chunk(text: string, similarity: number, versionId = 1): RankedChunk {
  return { versionId, position: 0, sourceDocId: "d", text, start: 0, end: text.length, similarity };
}

describe("a question is split", () => {
  test("at the things that it compares", () => {
    assert.deepEqual(splitQuestion("Which is older, Larkspur Mill or Ebbford Tower?"), [
      "Which is older, Larkspur Mill?",
      "Which is older, Ebbford Tower?",
    ]);
    assert.equal(splitQuestion("Were Odile Brandt, Maud Pell and Ida Holm born in one town?").length, 3);
    assert.deepEqual(splitQuestion("Ist Orrin älter als Ebbford?"), []);
  });

  test("at its clauses, and not at all without a conjunction", () => {
    assert.deepEqual(splitQuestion("Who founded Larkspur Mill and where is Ebbford Tower?"), [
      "Who founded Larkspur Mill",
      "where is Ebbford Tower?",
    ]);
    assert.deepEqual(splitQuestion("When was the tower finished?"), []);
    assert.deepEqual(splitQuestion(""), []);
  });
});

test("the names in a question are its runs of capitalised words, without its opening word", () => {
  const names = (query: string) => namesInQuestion(query).map(({ name }) => name);
  assert.deepEqual(names("Where is the Bank of Orrin, and who runs Ebbford Tower?"), [
    "bank of orrin",
    "ebbford tower",
  ]);
  assert.deepEqual(names("In Kestrel Bay, who runs the mill?"), ["kestrel bay"]);
  assert.deepEqual(names("who runs it"), []);
});

test("bridge names are weighed by their sentence and passage, and exclude those of the question", () => {
  const query = "Where was the founder of Larkspur Mill born?";
  const bridges = findBridgeNames(
    query,
    [
      chunk("Larkspur Mill\n\nLarkspur Mill was founded by Odile Brandt. It lies near Ebbford.", 0.8),
      chunk("Kestrel Bay\n\nKestrel Bay has a market.", 0.2, 2),
    ],
    3,
  );
  assert.deepEqual(
    bridges.map(({ key }) => key),
    ["odile brandt", "ebbford", "kestrel bay"],
  );
  const [first] = bridges;
  assert.ok(first);
  assert.equal(followUp(query, first), "Odile Brandt: Where was the founder of born?");
});

test("a bridge name has the best sentence that has it, and is of no passage without a score", () => {
  const query = "Who founded Larkspur Mill?";
  const text = "Odile Brandt rests. Larkspur Mill was founded by Odile Brandt.";
  const [found, ...others] = findBridgeNames(
    query,
    [{ ...chunk(text, 0.8), start: 100, end: 100 + text.length }, chunk("Kestrel Bay has a market.", 0, 2)],
    5,
  );
  const sentence = "Larkspur Mill was founded by Odile Brandt.";
  const place = { versionId: 1, position: 0, sourceDocId: "d" };
  assert.deepEqual(found?.from, { ...place, sentence, start: 120, end: 100 + text.length });
  assert.deepEqual(others, []);
  assert.deepEqual(findBridgeNames(query, [chunk(text, 0)], 5), []);
});

test("a follow-up leaves out what its name answers, and does not look for the names of the question again", () => {
  // Finding them takes milliseconds for a long question; these two are not found in it.
  const answered = [
    { name: "mill", start: 21, end: 25 },
    { name: "where", start: 0, end: 5 },
  ];
  assert.equal(
    followUp("where was founder of mill born", { name: "Odile", answered }),
    "Odile: was founder of born",
  );
});

describe("a reply of the model", () => {
  test("that is valid is parsed and bounded", () => {
    const searches = ["a", " ", 7, "b".repeat(1_000), "c", "d", "e"];
    const plan = readPlan({ kind: "time", searches });
    assert.deepEqual(plan, { route: "time", searches: ["a", "b".repeat(400), "c", "d"] });
    assert.deepEqual(readJudgement({ useful: [2, 2, 0, 9, "1", 1.5], enough: false, searches: null }, 3), {
      useful: [1],
      isEnough: false,
      searches: [],
    });
  });

  test("that is invalid counts as none", () => {
    for (const value of [null, [], "fact", { kind: "poem", searches: [] }, { searches: ["a"] }])
      assert.equal(readPlan(value), null);
    for (const value of [null, [], {}, { enough: "yes" }]) assert.equal(readJudgement(value, 3), null);
  });
});
