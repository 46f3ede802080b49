import assert from "node:assert/strict";
import { test } from "node:test";
import type { SummaryInput } from "./summarize.ts";
import { summarize } from "./test-summarize.ts";

const QUESTION = "Where is the office of Harrow Mills?";
const ENDED = "The office of Harrow Mills is in Orrin.";
const HOLDS = "In spring Harrow Mills opened its office in Ystad, by the harbour.";
const OTHER = "Dogs travel free of charge.";
const nothing = { places: [], holding: [], isNow: false };
const END = "By what the documents tell, this has ended:";

function chunksOf(...texts: readonly string[]): SummaryInput["chunks"] {
  return texts.map((text, at) => {
    const similarity = 0.6 - at / 100;
    return { text, versionId: at + 1, start: 0, similarity, cosine: similarity, fused: similarity };
  });
}

/** What another time is of, in the document with this number. */
function placeOf(versionId: number, text: string, part = text) {
  const start = text.indexOf(part);
  return { versionId, start, end: start + part.length };
}

test("what holds is quoted before what is nearer to the question and has ended, and that is left out", () => {
  const input = { query: QUESTION, chunks: chunksOf(ENDED, HOLDS) };
  assert.equal(summarize(input), `${ENDED} ${HOLDS}`);
  const otherTimes = { places: [placeOf(1, ENDED)], holding: [placeOf(2, HOLDS)], isNow: true };
  assert.equal(summarize({ ...input, otherTimes }), HOLDS);
});

test("where only what has ended answers, the summary says so, but not where another time is asked of", () => {
  const input = { query: QUESTION, chunks: chunksOf(ENDED, OTHER) };
  const places = [placeOf(1, ENDED)];
  const told = summarize({ ...input, otherTimes: { ...nothing, places, isNow: true } });
  assert.equal(told, `${END}\n${ENDED}`);
  assert.equal(summarize({ ...input, otherTimes: { ...nothing, places, isNow: false } }), ENDED);
});

test("what else is said of the thing does not answer in place of what has ended, and is not called ended", () => {
  const text = `${ENDED} The office opens at nine.`;
  const input = { query: QUESTION, chunks: chunksOf(text) };
  const otherTimes = { ...nothing, places: [placeOf(1, text, ENDED)], isNow: true };
  assert.equal(summarize({ ...input, otherTimes }), `${END}\n${ENDED}\n\nThe office opens at nine.`);
});

test("what a model finds that has not ended is not called ended", () => {
  const said = "Harrow Mills has an office.";
  const input = { query: QUESTION, chunks: chunksOf(ENDED, said) };
  const reading = { answer: { ...placeOf(2, said), versionId: 2 }, isComplete: true };
  const otherTimes = { ...nothing, places: [placeOf(1, ENDED)], isNow: true };
  assert.equal(summarize({ ...input, reading, otherTimes }), said);
});

test("a sentence that refers back to one of another time is quoted with it", () => {
  const text = "The office of Harrow Mills was in Orrin. It is in Ystad, by the harbour, now.";
  const input = { query: QUESTION, chunks: chunksOf(text) };
  const places = [placeOf(1, text, "The office of Harrow Mills was in Orrin.")];
  const told = summarize({ ...input, otherTimes: { ...nothing, places, isNow: true } });
  assert.ok(told.endsWith("It is in Ystad, by the harbour, now."), told);
});

test("nothing changes where no sentence is of another time", () => {
  const input = { query: QUESTION, chunks: chunksOf(ENDED, HOLDS, OTHER) };
  assert.equal(summarize({ ...input, otherTimes: { ...nothing, isNow: true } }), summarize(input));
  const elsewhere = [{ versionId: 9, start: 0, end: 99 }];
  assert.equal(
    summarize({ ...input, otherTimes: { ...nothing, places: elsewhere, isNow: true } }),
    summarize(input),
  );
});
