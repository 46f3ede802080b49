import assert from "node:assert/strict";
import { test } from "node:test";
import type { Explanation } from "../../../domain/explanation.ts";
import type { Answer, Question, RankedChunk } from "../../../domain/query.ts";
import { type RemoteReranker, RerankError } from "../../../ports/reranker.ts";
import { createStepTimer } from "../step-timer.ts";
import { MAX_PASSAGE_UNITS, REMOTE_RERANKED_CHUNKS, rerankFirst } from "./rerank-first.ts";
import { readNothing } from "./test-answerer.ts";
import { createTolerantReader } from "./tolerant-reader.ts";

const QUESTION: Question = {
  ...{ projectId: "prj", accountId: "acc", query: "Who lit the lamp?" },
  ...{ mode: "dynamic", topK: 3, filter: null },
};

function chunk(at: number, text = `Text ${at}.`): RankedChunk {
  const place = { versionId: 1, position: at, sourceDocId: `doc-${at}`, start: 0, end: text.length };
  return { ...place, text, header: "Title", similarity: 1 - at / 100, cosine: 0, fused: 0 };
}

function answerOf(chunks: readonly RankedChunk[], members: Partial<Answer> = {}): Answer {
  return { strategyUsed: "hybrid", summary: "First.", entities: [], relationships: [], chunks, ...members };
}

type Score = RemoteReranker["score"];

/** Prefers later passages unless told otherwise. */
function rerankerOf(score: Score = async (_question, passages) => passages.map((_, at) => at)) {
  const calls: { readonly passages: readonly string[]; readonly meter: unknown }[] = [];
  const reranker: RemoteReranker = {
    model: "test/cross",
    limitMs: 70,
    score(question, passages, options) {
      calls.push({ passages, meter: options.meter });
      return score(question, passages, options);
    },
  };
  return { calls, reranker };
}

function run(answer: Answer, reranker: RemoteReranker | null, signal: AbortSignal | null = null) {
  const passages = createTolerantReader(QUESTION, readNothing);
  return rerankFirst(QUESTION, answer, { reranker, passages, now: () => 0, signal });
}

const positions = ({ chunks }: Answer) => chunks.map(({ position }) => position);

test("the chunks take the order of the scores, each with the similarity of its new place, in one call of the account", async () => {
  const { calls, reranker } = rerankerOf();
  const { answer, suffix } = await run(answerOf([0, 1, 2].map((at) => chunk(at))), reranker);
  assert.deepEqual([positions(answer), suffix], [[2, 1, 0], "_rerank"]);
  assert.deepEqual(
    answer.chunks.map(({ similarity }) => similarity),
    [1, 0.99, 0.98],
  );
  assert.deepEqual(calls, [
    {
      passages: ["Title\nText 0.", "Title\nText 1.", "Title\nText 2."],
      meter: { accountId: "acc", projectId: "prj" },
    },
  ]);
});

test("no more passages are sent than allowed, nor more of one; the others stay behind in their order", async () => {
  const { calls, reranker } = rerankerOf();
  const long = `${"x".repeat(MAX_PASSAGE_UNITS - 7)}😀 and more`;
  const chunks = Array.from({ length: 40 }, (_, at) => chunk(at, at === 0 ? long : `Text ${at}.`));
  const { answer } = await run(answerOf(chunks), reranker);
  const [passages] = calls.map((call) => call.passages);
  assert.equal(passages?.length, REMOTE_RERANKED_CHUNKS);
  // A character of two code units is not cut in half.
  assert.equal(passages?.[0], `Title\n${"x".repeat(MAX_PASSAGE_UNITS - 7)}\u{fffd}`);
  const behind = Array.from({ length: 40 - REMOTE_RERANKED_CHUNKS }, (_, at) => REMOTE_RERANKED_CHUNKS + at);
  assert.deepEqual(positions(answer).slice(REMOTE_RERANKED_CHUNKS), behind);
  assert.equal(answer.chunks[0]?.position, REMOTE_RERANKED_CHUNKS - 1);
});

test("without a reranker, or without a chunk, nothing is asked", async () => {
  const { calls, reranker } = rerankerOf();
  const answer = answerOf([chunk(0)]);
  assert.deepEqual(await run(answer, null), { answer, suffix: "" });
  const empty = answerOf([]);
  assert.deepEqual(await run(empty, reranker), { answer: empty, suffix: "" });
  assert.equal(calls.length, 0);
});

test("a reranker that fails leaves the answer as it was; any other error rises", async () => {
  const answer = answerOf([chunk(0), chunk(1)]);
  const { reranker } = rerankerOf(() => Promise.reject(new RerankError("No scores.", null)));
  assert.deepEqual(await run(answer, reranker), { answer, suffix: "_rerank_failed" });
  const broken = rerankerOf(() => Promise.reject(new Error("the meter is away")));
  await assert.rejects(run(answer, broken.reranker), /the meter is away/);
});

test("for a client that has left, the answer stays as it was", async () => {
  const leaving = new AbortController();
  const answer = answerOf([chunk(0)]);
  const { reranker } = rerankerOf(async () => {
    leaving.abort(new Error("left"));
    throw leaving.signal.reason;
  });
  assert.deepEqual(await run(answer, reranker, leaving.signal), { answer, suffix: "" });
});

test("an answer that was denied is judged again by the chunks that are the best ones now", async () => {
  const others = Array.from({ length: 12 }, (_, at) =>
    chunk(at, `Ferry ${at} sails to the harbour at noon.`),
  );
  const chunks = [...others, chunk(12, "Tove Lind lit the lamp.")];
  const denied = answerOf(chunks, { isDenied: true, summary: "No passage that was found answers this." });
  const found = await run(denied, rerankerOf().reranker);
  assert.equal(found.answer.isDenied, false);
  assert.match(found.answer.summary, /^Tove Lind lit the lamp\./);
  const stays = await run({ ...denied, chunks: others }, rerankerOf().reranker);
  assert.equal(stays.answer.isDenied, true);
  assert.match(stays.answer.summary, /^No passage that was found answers this\./);
});

function explanationOf(chunks: readonly RankedChunk[]): Explanation {
  return {
    plan: {
      ...{ strategy: "hybrid", terms: [], names: [], asOf: null, graph: "none" },
      ...{ indexVersion: 1, segments: 1, attempts: 1 },
    },
    candidates: { lexical: [], dense: [] },
    fused: [],
    graph: null,
    ranked: chunks.map(({ versionId, position, sourceDocId, similarity }, at) => ({
      ...{ versionId, position, sourceDocId, score: similarity },
      ...{ isReturned: true, isSummarized: at < 1 },
    })),
    dropped: [],
    timingsMs: createStepTimer(() => 0).readTimings(),
  };
}

test("the explanation has the scores and the order after them, or why there are none", async () => {
  const chunks = [chunk(0), chunk(1)];
  const explained = answerOf(chunks, { explanation: explanationOf(chunks) });
  const { explanation } = (await run(explained, rerankerOf().reranker)).answer;
  assert.equal(explanation?.plan.strategy, "hybrid_rerank");
  assert.deepEqual(
    explanation?.rerank?.scores.map(({ position, score }) => [position, score]),
    [
      [1, 1],
      [0, 0],
    ],
  );
  assert.deepEqual([explanation?.rerank?.model, explanation?.rerank?.limitMs], ["test/cross", 70]);
  assert.deepEqual(
    explanation?.ranked.map(({ position, score, isSummarized }) => [position, score, isSummarized]),
    [
      [1, 1, true],
      [0, 0.99, false],
    ],
  );
  const { reranker } = rerankerOf(() => Promise.reject(new RerankError("No scores.", null)));
  const failed = (await run(explained, reranker)).answer.explanation;
  assert.equal(failed?.plan.strategy, "hybrid_rerank_failed");
  assert.deepEqual([failed?.rerank?.scores, failed?.rerank?.error], [[], "No scores."]);
  assert.deepEqual(failed?.ranked, explained.explanation?.ranked);
});
