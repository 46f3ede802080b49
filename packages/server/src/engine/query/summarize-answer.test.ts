import assert from "node:assert/strict";
import { test } from "node:test";
import { createNameRelevance } from "./name-relevance.ts";
import { composeSummary, type SummaryInput, scoreAnswer } from "./summarize.ts";
import { summarize } from "./test-summarize.ts";

type SummaryChunk = SummaryInput["chunks"][number];

const TEXT =
  "The ferry to Orrin leaves at noon. The lounge opens an hour before. Ida Holm founded the line in 1871. " +
  "She sold it to the harbour board. Dogs travel free of charge.";
const QUESTION = "When does the ferry to Orrin leave?";
const DENIED = "No passage that was found answers this.";

function chunkOf(text: string, given: Partial<SummaryChunk> = {}): SummaryChunk {
  return { text, versionId: 1, start: 0, similarity: 0.6, cosine: 0.6, fused: 0.6, ...given };
}

/** The summary where a model found the answer in this part of a chunk. */
function found(part: string, { query = QUESTION, chunks = [chunkOf(TEXT)] }: Partial<SummaryInput> = {}) {
  const chunk = chunks.find(({ text }) => text.includes(part));
  assert.ok(chunk);
  const start = chunk.start + chunk.text.indexOf(part);
  const answer = { versionId: chunk.versionId, start, end: start + part.length };
  return summarize({ query, chunks, reading: { answer, isComplete: true } });
}

test("The sentence with the answer comes first, then what the question's words find", () => {
  assert.match(
    summarize({ query: QUESTION, chunks: [chunkOf(TEXT)] }),
    /^The ferry to Orrin leaves at noon\./,
  );
  const summary = found("1871");
  assert.match(summary, /^Ida Holm founded the line in 1871\. /);
  assert.match(summary, /The ferry to Orrin leaves at noon\./);
  assert.equal(found("at noon"), summarize({ query: QUESTION, chunks: [chunkOf(TEXT)] }));
});

test("Before a sentence that refers back goes the one before it, and all sentences of a longer answer come first", () => {
  assert.match(found("the harbour board"), /^Ida Holm founded the line in 1871\. She sold it/);
  assert.match(found("1871. She sold"), /^Ida Holm founded the line in 1871\. She sold it/);
});

test("No sentence is quoted twice, and each is in a passage", () => {
  const chunks = [chunkOf(TEXT), chunkOf(TEXT.slice(35), { start: 35, similarity: 0.4 })];
  for (const part of ["noon", "an hour", "1871", "harbour board", "free"]) {
    const sentences = found(part, { chunks }).split(/(?<=\.)\s/);
    assert.equal(new Set(sentences).size, sentences.length);
    for (const sentence of sentences) assert.ok(TEXT.includes(sentence), sentence);
    assert.ok(sentences.length <= 4);
  }
});

test("A row, a line or a heading that answers stands below what it belongs to", () => {
  const table =
    "| Boat | Fare | Pier |\n|---|---|---|\n| Tern | 9 crowns | West |\n| Skua | 12 crowns | East |";
  assert.equal(
    found("12 crowns", { query: "What is the price of a trip?", chunks: [chunkOf(table)] }).split("\n")[0],
    "Boat: Skua; Fare: 12 crowns; Pier: East",
  );
  const list =
    "Lounge\n\nThis is where one waits for the boats in winter.\n\nOpening times:\n- Monday: from ten\n- Friday: from six";
  assert.match(
    found("from six", { query: "What about Friday?", chunks: [chunkOf(list)] }),
    /Opening times:\nFriday: from six/,
  );
  const headed = "# Orrin lines\n\n## The old pier\n\nBoats of all kinds left from here until the storm.";
  assert.match(found("The old pier", { query: "Where from?", chunks: [chunkOf(headed)] }), /^The old pier\n/);
});

test("An answer is given where words and vectors find none, and its names count as quoted", () => {
  const query = "Which enzyme copies chromosomes?";
  const far = { similarity: 0.1, cosine: 0.1, fused: 0.1 };
  assert.equal(summarize({ query, chunks: [chunkOf(TEXT, far)] }), DENIED);
  assert.match(found("Ida Holm", { query, chunks: [chunkOf(TEXT, far)] }), /^Ida Holm founded/);
  const start = TEXT.indexOf("Ida Holm");
  const input: SummaryInput = {
    ...{ query, chunks: [chunkOf(TEXT, far)] },
    reading: { answer: { versionId: 1, start, end: start + 8 }, isComplete: false },
  };
  const scores = scoreAnswer(input);
  const relevance = createNameRelevance(query, { scores, ...composeSummary(input, scores) });
  assert.equal(relevance.of({ key: "ida holm", type: "Person" }), 1);
});

test("Where all passages were read and none has an answer, the summary says so before what comes nearest", () => {
  const chunks = [chunkOf(TEXT)];
  const painted = "Who painted the ferry to Orrin?";
  const denied = summarize({ query: painted, chunks, reading: { answer: null, isComplete: true } });
  assert.match(denied, new RegExp(`^${DENIED} What comes nearest:\\nThe ferry to Orrin leaves at noon\\.`));
  const unread = summarize({ query: QUESTION, chunks, reading: { answer: null, isComplete: false } });
  assert.equal(unread, summarize({ query: QUESTION, chunks }));
  const far = [chunkOf(TEXT, { similarity: 0.1, cosine: 0.1, fused: 0.1 })];
  const query = "Which enzyme copies chromosomes?";
  assert.equal(summarize({ query, chunks: far, reading: { answer: null, isComplete: true } }), DENIED);
  const near = summarize({ query, chunks, reading: { answer: null, isComplete: true } });
  assert.match(near, new RegExp(`^${DENIED} What comes nearest:\\nThe ferry`));
  assert.equal(summarize({ query, chunks: [], reading: { answer: null, isComplete: true } }), "");
});

test("A code that no passage mentions is named, whatever the model found", () => {
  assert.match(
    found("noon", { query: "When does the VX-30 ferry leave?" }),
    /^No passage that was found mentions “VX-30”/,
  );
});

test("An answer in a chunk that is not summarized changes nothing", () => {
  const reading = { answer: { versionId: 2, start: 0, end: 5 }, isComplete: false };
  assert.equal(
    summarize({ query: QUESTION, chunks: [chunkOf(TEXT)], reading }),
    summarize({ query: QUESTION, chunks: [chunkOf(TEXT)] }),
  );
});

test("The heading of a table is no answer, whatever a model found in it, and no heading stands twice", () => {
  const table = (year: number) =>
    `# Prices ${year} of all\n\n| Item | Price |\n|---|---|\n| Rope | ${year - 2029} EUR |`;
  const chunks = [chunkOf(`${table(2041)}\n\n${table(2040)}`)];
  const query = "What does the rope cost?";
  assert.match(found("2040", { query, chunks }), /^Prices 20\d\d of all\nItem: Price\nRope: \d\d EUR/);
  const priced = found("2041", { query: "What were the prices of 2041?", chunks });
  assert.match(priced, /^Prices 2041 of all/);
  assert.equal(priced.split("Prices 2041 of all").length, 2);
});
