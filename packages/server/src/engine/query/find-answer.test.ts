import assert from "node:assert/strict";
import { test } from "node:test";
import type { RankedChunk } from "../../domain/query.ts";
import type { FoundAnswers } from "../../ports/answer-finder.ts";
import { findAnswer } from "./find-answer.ts";

const MS_PER_PASSAGE = 10;
const TEXT = "The lamp was lit by Ida Holm.";

function chunkAt(position: number, given: Partial<RankedChunk> = {}): RankedChunk {
  const start = position * 100;
  return {
    ...{
      versionId: 7,
      position,
      sourceDocId: "doc",
      text: TEXT,
      start,
      end: start + TEXT.length,
      similarity: 1,
    },
    ...given,
  };
}

/** What `reads` says of each passage in turn; 10 ms for each. */
function clocked(reads: readonly FoundAnswers[], limitMs = 1_000) {
  let time = 0;
  const passages: string[] = [];
  const finder = {
    model: "local/m@0",
    limitMs,
    async find(_question: string, passage: string) {
      time += MS_PER_PASSAGE;
      passages.push(passage);
      return reads[passages.length - 1] ?? { spans: [], noAnswerScore: 1 };
    },
  };
  return { passages, deps: { finder, now: () => time } };
}

/** A span over the text in the passage. */
function spanOf(text: string, score: number, passage = TEXT) {
  const start = passage.indexOf(text);
  return { start, end: start + text.length, score };
}

test("the passage whose span scores most, and more than no answer, has the answer", async () => {
  const { deps } = clocked([
    { spans: [spanOf("Ida", 0.9)], noAnswerScore: 0.95 },
    { spans: [spanOf("lamp", 0.4)], noAnswerScore: 0.1 },
    { spans: [spanOf("Ida Holm", 0.6), spanOf("lamp", 0.2)], noAnswerScore: 0.3 },
    { spans: [spanOf("lit", 0.6)], noAnswerScore: 0.3 },
  ]);
  const { reading, explanation } = await findAnswer(
    "?",
    [0, 1, 2, 3].map((at) => chunkAt(at)),
    deps,
  );
  const start = 200 + TEXT.indexOf("Ida");
  assert.deepEqual(reading, { answer: { versionId: 7, start, end: start + 8 }, isComplete: true });
  assert.deepEqual(
    explanation.passages.map(({ span, isChosen }) => [span?.text, span?.score, isChosen]),
    [
      ["Ida", 0.9, false],
      ["lamp", 0.4, false],
      ["Ida Holm", 0.6, true],
      ["lit", 0.6, false],
    ],
  );
  assert.deepEqual(
    [explanation.tookMs, explanation.passages[2]?.span?.start, explanation.passages[0]?.noAnswerScore],
    [4 * MS_PER_PASSAGE, start, 0.95],
  );
});

test("a span that scores as no answer, or nothing, is none", async () => {
  const { deps } = clocked([
    { spans: [spanOf("Ida", 0.5)], noAnswerScore: 0.5 },
    { spans: [], noAnswerScore: 0 },
  ]);
  const { reading, explanation } = await findAnswer("?", [chunkAt(0), chunkAt(1)], deps);
  assert.deepEqual(reading, { answer: null, isComplete: true });
  assert.deepEqual(
    explanation.passages.map(({ isChosen }) => isChosen),
    [false, false],
  );
});

test("the model reads the header, but an answer is in the text and is not blank", async () => {
  const header = "Ida Holm > Lamps";
  const passage = `${header}\n${TEXT}`;
  const blank = { start: passage.indexOf(" was"), end: passage.indexOf("was"), score: 0.7 };
  const { deps, passages } = clocked([
    { spans: [spanOf("Ida Holm", 0.8, passage), blank, spanOf("lit by", 0.5, passage)], noAnswerScore: 0.2 },
  ]);
  const { reading, explanation } = await findAnswer("?", [chunkAt(3, { header })], deps);
  assert.deepEqual(passages, [passage]);
  assert.equal(explanation.passages[0]?.span?.text, "lit by");
  assert.equal(reading.answer?.start, 300 + TEXT.indexOf("lit by"));
});

test("passages that no time is left for are not read, so nothing is said of them; the first one always is", async () => {
  const chunks = [0, 1, 2, 3, 4].map((at) => chunkAt(at));
  const three = clocked([], 3 * MS_PER_PASSAGE);
  const { reading } = await findAnswer("?", chunks, three.deps);
  assert.equal(three.passages.length, 3);
  assert.deepEqual(reading, { answer: null, isComplete: false });
  const one = clocked([], 1);
  let time = 0;
  // The time is up before the first one.
  await findAnswer("?", chunks, { ...one.deps, now: () => (time += 5) });
  assert.equal(one.passages.length, 1);
});
