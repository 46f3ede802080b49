import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question, RankedChunk } from "../../domain/query.ts";
import type { AnswerFinder } from "../../ports/answer-finder.ts";
import type { QuestionReader } from "../../ports/question-reader.ts";
import { readAnswer } from "./read-answer.ts";
import { scoreAnswer } from "./summarize.ts";

const QUESTION: Question = {
  ...{ projectId: "p", accountId: "a", query: "Who lit the lamp?", mode: "static", topK: 5, filter: null },
};

function chunk(versionId: number, text: string): RankedChunk {
  const place = { versionId, position: 0, sourceDocId: `doc-${versionId}`, start: 0, end: text.length };
  return { ...place, text, similarity: 0.5, cosine: 0.5, fused: 0.5 };
}

const CHUNKS = [chunk(1, "Odile lit the lamp of the harbour."), chunk(2, "Tove painted the boats.")];

/** Answers each passage with the same logit, and counts them. */
function readerOf(logit: number) {
  const read: string[] = [];
  const reader: QuestionReader = {
    async read(_question, { text }) {
      read.push(text);
      return { logit, span: { start: 0, end: 5 } };
    },
  };
  return { read, openReader: async () => reader };
}

const scores = scoreAnswer({ query: QUESTION.query, chunks: CHUNKS });
const passages = { chunks: CHUNKS, scores, isBundled: true };

test("of a static question the best chunk alone is read", async () => {
  const { read, openReader } = readerOf(3);
  const found = await readAnswer(QUESTION, passages, { answerFinder: null, openReader });
  assert.deepEqual(read, [CHUNKS[0]?.text]);
  assert.deepEqual(found.reading, { answer: { versionId: 1, start: 0, end: 5 }, isComplete: false });
  assert.ok((found.judgement?.probability ?? 0) > 0.3);
  assert.equal(found.suffix, "");
});

test("what the bundled model finds near enough is not read, since it would not be denied; other models' cosines say less", async () => {
  const near = CHUNKS.map((each) => ({ ...each, cosine: 0.7, fused: 0.6 }));
  const { read, openReader } = readerOf(-4);
  const deps = { answerFinder: null, openReader };
  const found = await readAnswer(QUESTION, { ...passages, chunks: near }, deps);
  assert.deepEqual([found.reading, found.suffix, read.length], [null, "", 0]);
  assert.ok((found.judgement?.probability ?? 0) > 0.5);
  await readAnswer(QUESTION, { ...passages, chunks: near, isBundled: false }, deps);
  assert.equal(read.length, 1);
});

test("what is near and does not answer is less likely to, but not denied", async () => {
  const near = CHUNKS.map((each) => ({ ...each, cosine: 0.62, fused: 0.5 }));
  const probabilityOf = async (logit: number) => {
    const deps = { answerFinder: null, openReader: readerOf(logit).openReader };
    const found = await readAnswer(QUESTION, { ...passages, chunks: near }, deps);
    // Several passages may answer together what no single one does.
    assert.equal(found.reading?.isComplete, false);
    return found.judgement?.probability ?? 0;
  };
  assert.ok((await probabilityOf(3)) > 0.6);
  assert.ok((await probabilityOf(-4)) < 0.25);
});

test("words that are far from the question deny what a cosine would not", async () => {
  const asked = async (fused: number) => {
    const deps = { answerFinder: null, openReader: readerOf(-4).openReader };
    const chunks = CHUNKS.map((each) => ({ ...each, cosine: 0.5, fused }));
    return (await readAnswer(QUESTION, { ...passages, chunks }, deps)).reading?.isComplete;
  };
  assert.deepEqual([await asked(0.25), await asked(0.5)], [true, false]);
});

test("another language is not read, and fewer than ten chunks are not judged", async () => {
  const german = [
    chunk(1, "Die Lampe wurde von der Frau am Hafen und nicht von dem Mann im Dorf angezündet."),
  ];
  const { read, openReader } = readerOf(3);
  const found = await readAnswer(
    { ...QUESTION, query: "Wer hat die Lampe angezündet?" },
    { ...passages, chunks: german.map((each) => ({ ...each, cosine: 0.7 })) },
    { answerFinder: null, openReader },
  );
  assert.deepEqual([found.judgement, read.length], [null, 0]);
});

const TEXT = "Die Lampe wurde von der Frau am Hafen und nicht von dem Mann im Dorf angezündet.";
/** Ten chunks with the highest score and the others'. */
const scored = (text: string, highest: number, others: number) =>
  Array.from({ length: 10 }, (_, at) => ({ ...chunk(at, text), fused: at === 0 ? highest : others }));

test("in another language the scores of ten chunks tell whether they answer", async () => {
  const { read, openReader } = readerOf(3);
  const deps = { answerFinder: null, openReader };
  const question = { ...QUESTION, query: "Wer hat die Lampe angezündet?" };
  const asked = (chunks: readonly RankedChunk[]) =>
    readAnswer(question, { chunks, scores, isBundled: true }, deps);
  const found = await asked(scored(TEXT, 0.6, 0.3));
  assert.deepEqual(found.reading, { answer: null, isComplete: false, isUnsure: false });
  const none = await asked(scored(TEXT, 0.28, 0.27));
  assert.equal(none.reading?.isComplete, true);
  assert.ok((found.judgement?.probability ?? 0) > 0.9 && (none.judgement?.probability ?? 1) < 0.1);
  const other = await readAnswer(
    question,
    { chunks: scored(TEXT, 0.28, 0.27), scores, isBundled: false },
    deps,
  );
  assert.deepEqual([other.reading, other.judgement], [null, null]);
  assert.equal(read.length, 0);
});

test("in scripts that the bundled model hardly knows nothing is claimed", async () => {
  const { openReader } = readerOf(3);
  const found = await readAnswer(
    { ...QUESTION, query: "Кто зажёг лампу?" },
    { chunks: scored("Лампу зажгла Одиле.", 0.6, 0.3), scores, isBundled: true },
    { answerFinder: null, openReader },
  );
  assert.equal(found.reading?.isUnsure, true);
});

test("where the reader and the search find no answer, the reading denies one", async () => {
  const far = CHUNKS.map((each) => ({ ...each, cosine: 0.3, fused: 0.3 }));
  const { openReader } = readerOf(-4);
  const found = await readAnswer(QUESTION, { ...passages, chunks: far }, { answerFinder: null, openReader });
  assert.deepEqual(found.reading, { answer: null, isComplete: true });
});

test("steps of a dynamic question, a project without chunks and questions with a configured model are not read by it", async () => {
  const { read, openReader } = readerOf(3);
  const deps = { answerFinder: null, openReader };
  for (const question of [
    { ...QUESTION, isFollowUp: true },
    { ...QUESTION, isUnread: true },
  ])
    assert.equal((await readAnswer(question, passages, deps)).reading, null);
  assert.equal((await readAnswer(QUESTION, { ...passages, chunks: [], scores: [] }, deps)).judgement, null);
  const answerFinder: AnswerFinder = {
    ...{ model: "m", limitMs: 100 },
    find: async () => ({ spans: [], noAnswerScore: 0.5 }),
  };
  const found = await readAnswer(QUESTION, passages, { answerFinder, openReader });
  assert.deepEqual([found.suffix, found.judgement, read.length], ["_answer", null, 0]);
});

test("where the reader cannot be opened, the strategy says so", async () => {
  const openReader = async () => null;
  const found = await readAnswer(QUESTION, passages, { answerFinder: null, openReader });
  assert.deepEqual([found.reading, found.suffix], [null, "_unread"]);
});
