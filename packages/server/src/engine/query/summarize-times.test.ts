import assert from "node:assert/strict";
import { test } from "node:test";
import type { SummaryInput } from "./summarize.ts";
import { summarize } from "./test-summarize.ts";

const QUESTION = "Where is the office of Harrow Mills?";
const ENDED = "The office of Harrow Mills is in Orrin.";
const HOLDS = "In spring Harrow Mills opened its office in Ystad, by the harbour.";
const OTHER = "Dogs travel free of charge.";
const nothing = { places: [], holding: [], latest: [], earlier: [], isNow: false };
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
  const otherTimes = { ...nothing, places: [placeOf(1, ENDED)], holding: [placeOf(2, HOLDS)], isNow: true };
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

test("of several holders the sentence of the latest comes first, and those of the earlier ones are left out, not called ended", () => {
  const [first, other, last] = [
    "Ida Marsk is head of sales.",
    "Sales sells.",
    "Head of sales: Jon Feld, since May.",
  ];
  const input = { query: "Who is head of sales?", chunks: chunksOf(first, other, last) };
  const latest = [placeOf(3, last)];
  const earlier = [placeOf(1, first)];
  const otherTimes = { ...nothing, holding: [...earlier, ...latest], latest, earlier, isNow: true };
  assert.equal(summarize({ ...input, otherTimes }).split("\n")[0], last);
  assert.ok(!summarize({ ...input, otherTimes }).includes(first));
  const reading = { answer: { ...placeOf(1, first), versionId: 1 }, isComplete: true };
  assert.ok(!summarize({ ...input, reading, otherTimes }).includes(first));
});
