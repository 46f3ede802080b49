import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_CONFIDENCE_LIMITS as limits } from "./graph.ts";
import { applyLesson, type JudgedFact, learnLesson, prepareLesson, wordingOf } from "./lesson.ts";

const judged = (count: number, fact: Partial<JudgedFact>): readonly JudgedFact[] =>
  Array.from({ length: count }, () => ({ isTrue: true, confidence: 0.7, wording: "> keeps", ...fact }));
const stated = (isAsserted: boolean, confidence: number, wording = "> keeps") => ({
  ...{ isAsserted, confidence },
  wording: () => wording,
});

test("nobody's verdicts teach nothing", () => assert.equal(learnLesson([]), null));

test("however many verdicts agree, what is likelier wrong stays proposed, and the surest stays asserted", () => {
  const [trusting, doubting] = [
    learnLesson(judged(1_000, {})),
    learnLesson(judged(1_000, { isTrue: false, confidence: 0.95 })),
  ];
  assert(trusting !== null && doubting !== null);
  assert.ok((applyLesson(prepareLesson(trusting), stated(false, 0.74), limits) ?? 0) >= limits.asserted);
  assert.equal(applyLesson(prepareLesson(trusting), stated(false, 0.73), limits), null);
  assert.ok((applyLesson(prepareLesson(doubting), stated(true, 0.86), limits) ?? 1) < 0.6);
  assert.equal(applyLesson(prepareLesson(doubting), stated(true, 0.88), limits), null);
  assert.equal(
    applyLesson(prepareLesson(trusting), stated(true, 0.8), limits),
    null,
    "what is asserted already",
  );
  assert.equal(
    applyLesson(prepareLesson(doubting), stated(false, 0.5), limits),
    null,
    "what is only proposed already",
  );
});

test("verdicts that the reader expected change nothing, and those that are as often true as it said", () => {
  assert.equal(learnLesson(judged(10, { confidence: 0.99 }))?.shift, 0.1);
  const mixed = [...judged(7, {}), ...judged(3, { isTrue: false })];
  assert.equal(Math.abs(learnLesson(mixed)?.shift ?? 1), 0);
});

test("a proposal is asserted only where its sentence has at least half of the words that it and a confirmed one have", () => {
  const lesson = learnLesson(judged(10, { wording: "> keeps the" }));
  assert(lesson !== null);
  const isAsserted = (wording: string) =>
    applyLesson(prepareLesson(lesson), stated(false, 0.79, wording), limits) !== null;
  assert.deepEqual(
    ["> keeps the", "> keeps", "> keeps the old", "< keeps the", "> sold the", ""].map(isAsserted),
    [true, true, true, true, true, false],
  );
  assert.equal(isAsserted("< sold"), false);
});

test("a wording is what is between the names", () => {
  assert.equal(wordingOf("Ada, the 2nd, keeps Elm Mill.", "Ada", "Elm Mill"), "> the nd keeps");
  assert.equal(wordingOf("Elm Mill: kept by Ada", "Ada", "Elm Mill"), "< kept by");
  assert.equal(wordingOf("Elm Mill: kept by her", "Ada", "Elm Mill"), "");
});

test("a wording is no longer than an index of PostgreSQL takes, whatever the words are, and cuts no letter", () => {
  const word = "\u{10400}".repeat(90);
  const wording = wordingOf(`Ada ${`${word} `.repeat(40)} Elm Mill`, "Ada", "Elm Mill");
  assert.ok(Buffer.byteLength(wording) < 1_100, String(Buffer.byteLength(wording)));
  assert.ok(wording.isWellFormed());
  assert.equal(wordingOf("Ada, keeper of Elm Mill", "Ada", "Elm Mill"), "> keeper of");
});

test("a wording is compared with confirmed ones by the words that they share", () => {
  const known = ["> was founded by", "> keeps", "< of the"];
  const { isKnown } = prepareLesson({ confirmed: 3, rejected: 0, shift: 0.1, wordings: known });
  for (const [wording, expected] of [
    ["> was founded by", true],
    ["> was then founded by", true],
    ["< was founded by", true],
    ["> was sold to", false],
    ["> the keeps", true],
    ["> the old keeps", true],
    ["> the very old keeps", false],
    ["> in", false],
    ["", false],
  ] as const)
    assert.equal(isKnown(wording), expected, wording);
});

test("the words of confirmed wordings are read once, however many facts are compared with them", (t) => {
  const wordings = Array.from({ length: 100 }, (_, at) => `> a${at} b${at} c${at}`);
  const { isKnown } = prepareLesson({ confirmed: 100, rejected: 0, shift: 0.1, wordings });
  const split = t.mock.method(String.prototype, "split");
  for (let at = 0; at < 200; at++) isKnown(`> x${at} y${at}`);
  assert.equal(split.mock.callCount(), 200);
});
