import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseSpans, relationCandidates, spanCandidates, tokenCandidates } from "./decode.ts";

/** Logits of shares; null is far below any threshold. */
const logits = (shares: readonly (number | null)[], dims: readonly number[]) => ({
  data: Float32Array.from(shares, (share) => (share === null ? -20 : Math.log(share / (1 - share)))),
  dims,
});
const rows = (spans: readonly { start: number; end: number; label: number; score: number }[]) =>
  spans.map(({ start, end, label, score }) => [start, end, label, Math.round(score * 100) / 100]);

test("a span of a span model is a start, a width and a label, within the text", () => {
  const shares = [0.9, null, 0.2, null, null, 0.6, null, 0.7];
  // Two words, two widths, two labels; the last span would end behind the text.
  const found = spanCandidates(logits(shares, [1, 2, 2, 2]), { words: 2, threshold: 0.5 });
  assert.deepEqual(rows(found), [
    [0, 0, 0, 0.9],
    [1, 1, 1, 0.6],
  ]);
});

test("a span of a token model has a start, an end and every word between inside, and is as sure as the least of them", () => {
  const [none, sure] = [null, 0.9];
  const words = [
    [sure, none, 0.8],
    [none, none, 0.6],
    [none, 0.7, 0.9],
    [sure, none, 0.9],
    [none, none, 0.3],
    [none, sure, 0.9],
  ];
  const last = logits(words.flat(), [1, 6, 1, 3]);
  const first = logits(
    [0, 1, 2].flatMap((kind) => words.map((word) => word[kind] ?? null)),
    [3, 1, 6, 1],
  );
  for (const each of [last, first])
    assert.deepEqual(rows(tokenCandidates(each, { words: 6, threshold: 0.5 })), [[0, 2, 0, 0.6]]);
  assert.deepEqual(rows(tokenCandidates(last, { words: 2, threshold: 0.5 })), []);
});

test("of overlapping spans the surest is kept; nested ones may stay, crossing ones not", () => {
  const span = (start: number, end: number, score: number, label = 0) => ({ start, end, label, score });
  const spans = [span(0, 3, 0.9), span(1, 2, 0.8), span(3, 5, 0.7), span(1, 2, 0.6, 1), span(6, 6, 0.5)];
  assert.deepEqual(rows(chooseSpans(spans, false)), [
    [0, 3, 0, 0.9],
    [6, 6, 0, 0.5],
  ]);
  assert.deepEqual(rows(chooseSpans(spans, true)), [
    [0, 3, 0, 0.9],
    [1, 2, 0, 0.8],
    [6, 6, 0, 0.5],
  ]);
});

test("more candidates than a text can have names are cut to the surest", () => {
  const shares = Array.from({ length: 6_000 }, (_, at) => 0.5 + at / 20_000);
  const found = spanCandidates(logits(shares, [1, 6_000, 1, 1]), { words: 6_000, threshold: 0.5 });
  assert.equal(found.length, 2_000);
  assert.ok(found.every(({ start }) => start >= 4_000));
});

test("a relation is of two entities that are related at all, in the direction that is sure enough", () => {
  const adjacency = { data: Float32Array.of(0.9, 0.9, 0.2, 0.9), dims: [1, 2, 2] };
  const shares = logits([0.9, 0.9, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9], [1, 2, 2, 2]);
  const thresholds = { threshold: 0.5, relationThreshold: 0.7 };
  assert.deepEqual(
    relationCandidates({ adjacency, logits: shares }, thresholds).map(({ score, ...relation }) => ({
      ...relation,
      score: Math.round(score * 100) / 100,
    })),
    [{ source: 0, target: 1, label: 1, score: 0.8 }],
  );
});
