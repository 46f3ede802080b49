import assert from "node:assert/strict";
import { test } from "node:test";
import type { RankedChunk } from "../../domain/query.ts";
import { RERANKED_CHUNKS, rerank } from "./rerank.ts";

const MS_PER_CHUNK = 10;

function chunks(count: number): readonly RankedChunk[] {
  return Array.from({ length: count }, (_, at) => ({
    versionId: 1,
    position: at,
    sourceDocId: "doc",
    text: `${at}`,
    header: "Title",
    start: 0,
    end: 1,
    similarity: 1 - at / 100,
  }));
}

/** Prefers later chunks, and takes 10 ms for each. */
function clocked(limitMs: number) {
  let time = 0;
  const read: string[] = [];
  const reranker = {
    model: "local/m@0",
    limitMs,
    async score(_question: string, passage: string) {
      time += MS_PER_CHUNK;
      read.push(passage);
      return Number(/\d+$/.exec(passage)?.[0]);
    },
  };
  return { read, deps: { reranker, now: () => time } };
}

const order = (ranked: readonly RankedChunk[]) => ranked.map(({ position }) => position);

test("all chunks are ordered by their scores, each with the similarity of its new place", async () => {
  const { deps, read } = clocked(1_000);
  const { ranked, explanation } = await rerank("?", chunks(4), deps);
  assert.deepEqual(order(ranked), [3, 2, 1, 0]);
  assert.deepEqual(
    ranked.map(({ similarity }) => similarity),
    [1, 0.99, 0.98, 0.97],
  );
  assert.equal(explanation.tookMs, 4 * MS_PER_CHUNK);
  assert.deepEqual(
    explanation.scores.map(({ position, score }) => [position, score]),
    [
      [3, 3],
      [2, 2],
      [1, 1],
      [0, 0],
    ],
  );
  assert.match(read[0] ?? "", /^Title/);
});

test("chunks that no time is left for keep their places behind the others, and the first one is always read", async () => {
  assert.deepEqual(
    order((await rerank("?", chunks(5), clocked(3 * MS_PER_CHUNK).deps)).ranked),
    [2, 1, 0, 3, 4],
  );
  assert.deepEqual(order((await rerank("?", chunks(3), clocked(1).deps)).ranked), [0, 1, 2]);
  const one = clocked(1);
  await rerank("?", chunks(3), one.deps);
  assert.equal(one.read.length, 1);
});

test("at most 50 chunks are read, and none of an empty list", async () => {
  const many = clocked(1e9);
  await rerank("?", chunks(60), many.deps);
  assert.equal(many.read.length, RERANKED_CHUNKS);
  assert.deepEqual((await rerank("?", [], clocked(1).deps)).ranked, []);
});
