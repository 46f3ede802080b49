import assert from "node:assert/strict";
import { test } from "node:test";
import type { FactNumbers } from "../../../../ports/fact-model.ts";
import { readFacts } from "./fact-reading.ts";

/** "Ada Holt saw Orrick Mill ." */
const STARTS = [0, 4, 9, 13, 20, 25];
const ENDS = [3, 8, 12, 19, 24, 26];
const TOKENS = STARTS.length + 2;
const [TYPES, RELATIONS] = [2, 2];
const LABELS = TYPES + RELATIONS;

/** The same numbers at each call. */
function numbersFrom(seed: number) {
  let state = seed;
  return (length: number, scale = 1) =>
    Float32Array.from({ length }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return scale * (state / 1_073_741_824 - 1);
    });
}

function randomNumbers(): FactNumbers {
  const make = numbersFrom(7);
  return {
    ...{ tokens: TOKENS, types: TYPES, relations: RELATIONS },
    tokenProducts: make(3 * TOKENS * (LABELS + 1)).fill(-9),
    tokenBiases: make(3 * (LABELS + 1)).fill(0),
    spanParts: make(TOKENS * 768),
    typeTokens: make(TOKENS * LABELS),
    typeLabels: make(LABELS * 256, 0.1),
    pairParts: make(TOKENS * 1_920),
    edgeTokens: make(TOKENS * LABELS),
    edgeLabels: make(LABELS * 384, 0.1),
    edgeBias: make(LABELS),
    distances: make(32 * 384),
    none: make(256, 0.1),
    noneBias: 0.3,
  };
}

const places = { starts: STARTS, ends: ENDS };
const [ada, mill] = [
  { start: 0, end: 8 },
  { start: 13, end: 24 },
];
/** Rows of the tokens, after [CLS]. */
const [ADA, MILL] = [
  [1, 2],
  [4, 5],
] as const;

const gelu = (value: number) => {
  let error = 0;
  // The error function as a sum over small steps.
  const [end, steps] = [value / Math.SQRT2, 20_000];
  for (let at = 0; at < steps; at++) {
    const place = ((at + 0.5) * end) / steps;
    error += Math.exp(-place * place) * (end / steps);
  }
  return 0.5 * value * (1 + (2 / Math.sqrt(Math.PI)) * error);
};

test("a span's types are the softmax of the model's products, none among them", () => {
  const numbers = randomNumbers();
  const { spanParts, typeLabels, typeTokens, none, noneBias } = numbers;
  const vector = Array.from({ length: 256 }, (_, k) => {
    const inside = ADA.reduce((sum, row) => sum + spanParts[row * 768 + 512 + k]!, 0) / 2;
    return gelu(spanParts[ADA[0] * 768 + k]! + spanParts[ADA[1] * 768 + 256 + k]! + inside);
  });
  const logits = [0, 1].map((type) => {
    const product = vector.reduce((sum, value, k) => sum + value * typeLabels[type * 256 + k]!, 0);
    return product + ADA.reduce((sum, row) => sum + typeTokens[row * LABELS + type]!, 0) / 2;
  });
  const odds = [...logits, vector.reduce((sum, value, k) => sum + value * none[k]!, noneBias)].map(Math.exp);
  const total = odds.reduce((sum, value) => sum + value, 0);
  const shares = readFacts(numbers, places).typesOf(ada) ?? assert.fail();
  assert.equal(shares.length, TYPES);
  for (const [at, share] of shares.entries()) assert.ok(Math.abs(share - odds[at]! / total) < 1e-4);
});

test("a relation's logit reads source, target, what is between and around, the distance and the nearest word", () => {
  const numbers = randomNumbers();
  const { pairParts, edgeLabels, edgeTokens, edgeBias, distances } = numbers;
  const mean = (rows: readonly number[], part: number, k: number) =>
    rows.reduce((sum, row) => sum + pairParts[row * 1_920 + part * 384 + k]!, 0) / (rows.length || 1);
  // The mill before Ada: a target that comes first; one token between, none before, the stop behind.
  const vector = Array.from({ length: 384 }, (_, k) =>
    gelu(
      distances[2 * 384 + k]! +
        mean(MILL, 0, k) +
        mean(ADA, 1, k) +
        mean([3], 2, k) +
        mean([], 3, k) +
        mean([6], 4, k),
    ),
  );
  const wanted = [2, 3].map((label) => {
    const product = vector.reduce((sum, value, k) => sum + value * edgeLabels[label * 384 + k]!, 0);
    return product + edgeBias[label]! + Math.max(...[3, 6].map((row) => edgeTokens[row * LABELS + label]!));
  });
  const { logits } = readFacts(numbers, places).pairOf(mill, ada) ?? assert.fail();
  assert.equal(logits.length, RELATIONS);
  for (const [at, logit] of logits.entries()) assert.ok(Math.abs(logit - wanted[at]!) < 1e-3);
});

test("names are spans that begin, go on and end, the surest of those that overlap; relations have no column of their own", () => {
  const numbers = randomNumbers();
  const column = (label: number, part: number, row: number) => (part * TOKENS + row) * (LABELS + 1) + label;
  const say = (label: number, [first, last]: readonly [number, number], logit: number) => {
    numbers.tokenProducts[column(label, 0, first)] = logit;
    numbers.tokenProducts[column(label, 2, last)] = logit;
    for (let row = first; row <= last; row++) numbers.tokenProducts[column(label, 1, row)] = logit;
  };
  say(0, ADA, 3);
  say(LABELS, [2, 2], 1); // Any name, within the surer one.
  say(LABELS, MILL, 2);
  say(2, [6, 6], 5); // The label of a relation.
  const { names } = readFacts(numbers, places);
  assert.deepEqual(
    names.map(({ start, end }) => [start, end]),
    [
      [0, 8],
      [13, 24],
    ],
  );
  assert.ok(names[0]!.score > names[1]!.score);
});

test("what the model has not read, and what overlaps, has no answer", () => {
  const { typesOf, pairOf } = readFacts(randomNumbers(), places);
  assert.equal(typesOf({ start: 20, end: 40 }), null);
  assert.equal(pairOf(ada, { start: 4, end: 12 }), null);
  assert.equal(pairOf(ada, { start: 26, end: 30 }), null);
});
