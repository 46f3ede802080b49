import assert from "node:assert/strict";
import { test } from "node:test";
import type { RankedChunk } from "../../domain/query.ts";
import { connectChunks } from "./connect-chunks.ts";
import { summarize } from "./test-summarize.ts";

const chunkOf = (versionId: number, text: string): RankedChunk => ({
  versionId,
  position: 0,
  sourceDocId: `d${versionId}`,
  text,
  start: 0,
  end: text.length,
  similarity: 1 / versionId,
});
const company = chunkOf(1, "Larkspur Mills was founded by Odile Brandt. The mills weave linen and canvas.");
const founder = chunkOf(
  2,
  "Odile Brandt kept bees all her life. She was born in Kestrel Bay. The bees won prizes.",
);
const other = chunkOf(3, "Canvas is woven from hemp. Linen is woven from flax, which grows in cool places.");
const path = {
  seed: { versionId: 1, position: 0 },
  name: "odile brandt",
  sentence: { start: 0, end: 43 },
  target: { versionId: 2, position: 0 },
  score: 0.5,
};
const QUESTION = "Where was the founder of Larkspur Mills born?";

test("the target of a path is quoted although it does not repeat the words of the path", () => {
  const chunks = [company, founder, other];
  const connected = connectChunks(chunks, { paths: [path] });
  assert.equal(connected.chunks[1]?.leadingText?.trim(), "Larkspur Mills was founded by Odile Brandt.");
  assert.equal(connected.chunks[0]?.leadingText, undefined);
  const summary = summarize({ query: QUESTION, ...connected });
  assert.match(summary, /founded by Odile Brandt/);
  assert.match(summary, /born in Kestrel Bay/);
});

test("without a ranking, or with a path to another chunk, the chunks are unchanged", () => {
  assert.deepEqual(connectChunks([company], null), { chunks: [company] });
  assert.deepEqual(connectChunks([company], { paths: [path] }), { chunks: [company], connecting: [] });
});
