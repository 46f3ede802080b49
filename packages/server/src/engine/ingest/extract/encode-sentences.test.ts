import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeSentences } from "./encode-sentences.ts";
import type { EncodedSentence } from "./relations/relation-types.ts";

const MOST_TOKENS = 8;

/** Tokens are words; the state of one is its length and its place in the text. Records what it encodes. */
function createEncoder() {
  const encoded: string[] = [];
  const encode = async (text: string): Promise<EncodedSentence> => {
    encoded.push(text);
    const words = [...text.matchAll(/\S+/g)].slice(0, MOST_TOKENS);
    return {
      vector: Float32Array.of(0.6, 0.8),
      dimensions: 2,
      states: Float32Array.from(words.flatMap(([word], at) => [word.length, at])),
      starts: words.map(({ index }) => index),
      ends: words.map(({ index, 0: word }) => index + word.length),
    };
  };
  return { encoded, encode };
}

const text = "The mill\nIt stood here.  Nobody came.";
const sentences = [
  { start: 9, end: 23 },
  { start: 25, end: 37 },
];

test("A text with its header is encoded once, and each sentence has its own tokens out of it.", async () => {
  const { encoded, encode } = createEncoder();
  const chunk = await encodeSentences({ text, sentences }, encode);
  assert.deepEqual(encoded, [text]);
  assert.deepEqual([...chunk.vector], [...Float32Array.of(0.6, 0.8)]);
  const [first, second] = chunk.sentences;
  assert.deepEqual([...(first?.states ?? [])], [2, 2, 5, 3, 5, 4]);
  assert.deepEqual(
    [first?.starts, first?.ends],
    [
      [0, 3, 9],
      [2, 8, 14],
    ],
  );
  assert.deepEqual([...(second?.states ?? [])], [6, 5, 5, 6]);
  assert.deepEqual(
    [second?.starts, second?.ends],
    [
      [0, 7],
      [6, 12],
    ],
  );
});

test("A sentence's vector has unit length and says what is its own; where it is the whole text it is the text's.", async () => {
  const { encode } = createEncoder();
  const { sentences: read } = await encodeSentences({ text, sentences }, encode);
  // Means of the states: of all (30 / 7, 3), of the sentences (4, 3) and (5.5, 5.5); less half of that of all.
  const expected = [
    [4 - 15 / 7, 1.5],
    [5.5 - 15 / 7, 4],
  ];
  for (const [at, [x = 0, y = 0]] of expected.entries()) {
    const length = Math.hypot(x, y);
    assert.ok(Math.abs((read[at]?.vector[0] ?? 0) - x / length) < 1e-6);
    assert.ok(Math.abs((read[at]?.vector[1] ?? 0) - y / length) < 1e-6);
  }
  const lone = await encodeSentences({ text: "It stood here.", sentences: [{ start: 0, end: 14 }] }, encode);
  assert.equal(lone.sentences[0]?.vector, lone.vector);
});

test("What lies beyond the tokens that the model reads is encoded sentence by sentence.", async () => {
  const { encoded, encode } = createEncoder();
  const long = `${"One two three four. ".repeat(3).trim()}   \u200b`;
  const spans = [0, 20, 40].map((start) => ({ start, end: start + 19 }));
  const { sentences: read } = await encodeSentences({ text: long, sentences: spans }, encode);
  assert.deepEqual(encoded, [long, "One two three four."]);
  assert.deepEqual(
    read.map(({ starts }) => starts.length),
    [4, 4, 4],
  );
  assert.deepEqual(read[2]?.starts, [0, 4, 8, 14]);
});

test("A sentence without tokens has no states, and the vector of the text.", async () => {
  const { encode } = createEncoder();
  const empty = { text: "Here   there", sentences: [{ start: 5, end: 6 }] };
  const { sentences: read, vector } = await encodeSentences(empty, encode);
  assert.deepEqual([read[0]?.states.length, read[0]?.starts], [0, []]);
  assert.equal(read[0]?.vector, vector);
});
