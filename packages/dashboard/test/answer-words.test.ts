import assert from "node:assert/strict";
import { test } from "node:test";
import { answerPaths } from "../src/pages/project/ask/answer-path.ts";
import { readSummary, strategyWords } from "../src/pages/project/ask/answer-words.ts";
import { bodyOf, questionIn, readAskSearch, searchOf } from "../src/pages/project/ask/ask-address.ts";
import { excerptOf } from "../src/pages/project/ask/passage-text.ts";

test("a summary that says that nothing answers is told from one that answers", () => {
  assert.deepEqual(
    readSummary("No passage that was found answers this. What comes nearest:\nBarges are slow."),
    {
      kind: "none",
      statement: "No passage that was found answers this.",
      text: "Barges are slow.",
    },
  );
  assert.equal(readSummary("No passage that was found mentions “VX-30” or “A.7”.").kind, "none");
  assert.equal(readSummary("Whether these passages answer cannot be told in this language. Да.").text, "Да.");
  assert.equal(readSummary("No passage is wide enough.").kind, "said");
  assert.equal(readSummary(" ").kind, "empty");
});

test("every strategy of the service has words, and its troubles are said", () => {
  assert.equal(strategyWords("dynamic_builtin_multi_hop").how, "by following names from passage to passage");
  assert.equal(strategyWords("dynamic_builtin_comparison").how, "for each part of the question");
  assert.equal(strategyWords("hybrid_graph_rerank").how, "by keyword, meaning and the graph");
  assert.equal(strategyWords("dynamic_fact_fallback_rerank_failed").troubles.length, 2);
});

test("an address gives the question again, and what no question can have is left out", () => {
  const question = {
    ...questionIn({}),
    query: "Who?",
    mode: "dynamic" as const,
    topK: 20,
    documents: ["a/b"],
    conditions: [{ key: "year", relation: "atLeast" as const, value: "1900" }],
  };
  assert.deepEqual(questionIn(readAskSearch(JSON.parse(JSON.stringify(searchOf(question))))), question);
  assert.deepEqual(
    readAskSearch({
      question: " ",
      passages: 5000,
      documents: [1, null],
      where: [{ key: 1 }],
      mode: "x",
      compare: "1",
    }),
    {},
  );
  assert.deepEqual(bodyOf(questionIn({ question: "Who?" })), {
    query: "Who?",
    mode: "static",
    top_k: 10,
    include: ["provenance"],
  });
});

test("the path to an answer begins at the question and goes over the names that were followed", () => {
  const from = (chunk_id: string) => ({ chunk_id, source_doc_id: "d", sentence: "s", start: 0, end: 1 });
  const steps = [
    { query: "Q?", name: null, from: null, chunk_ids: ["1.0"] },
    { query: "Q? A", name: "A", from: from("1.0"), chunk_ids: ["2.0"] },
    { query: "Q? X", name: "X", from: from("1.0"), chunk_ids: ["9.0"] },
    { query: "Q? B", name: "B", from: from("2.0"), chunk_ids: ["3.0"] },
  ];
  const quotes = [
    { chunkId: "3.0", document: "b", sentence: "B was born in C." },
    { chunkId: "1.0", document: "mill", sentence: "The mill was founded by A." },
  ];
  const relationships = [{ source: "A", target: "B", type: "MARRIED_TO" }];
  const paths = answerPaths(steps, quotes, { query: "Q?", relationships });
  assert.deepEqual(
    paths.map(({ chunkId, hops }) => [chunkId, hops.map(({ name, relation }) => [name, relation])]),
    [
      [
        "3.0",
        [
          ["A", null],
          ["B", "married to"],
        ],
      ],
    ],
  );
});

test("a path leads to what the question's own search does not explain, over the name that the graph relates to it", () => {
  const from = (chunk_id: string) => ({ chunk_id, source_doc_id: "d", sentence: "s", start: 0, end: 1 });
  const steps = [
    { query: "Q?", name: null, from: null, chunk_ids: ["film.0", "person.0"] },
    { query: "Q? Danish", name: "Danish", from: from("person.0"), chunk_ids: ["film.0"] },
    { query: "Q? Aarhus", name: "Aarhus", from: from("film.0"), chunk_ids: ["person.0"] },
    { query: "Q? Ada Webb", name: "Ada Webb", from: from("film.0"), chunk_ids: ["person.0"] },
  ];
  const quotes = [
    { chunkId: "film.0", document: "Low Tide", sentence: "Low Tide is a Danish film directed by Ada Webb." },
    { chunkId: "person.0", document: "Ada Webb", sentence: "Webb was born near Aarhus." },
  ];
  const relationships = [{ source: "Low Tide", target: "Ada Webb", type: "DIRECTED_BY" }];
  const paths = answerPaths(steps, quotes, {
    query: "Where was the director of Low Tide born?",
    relationships,
  });
  assert.deepEqual(
    paths.map(({ chunkId, hops }) => [chunkId, ...hops.map(({ name, relation }) => [name, relation])]),
    [["person.0", ["Ada Webb", "directed by"]]],
  );
});

test("a long passage is cut around the sentence that matters, without the line that repeats its title", () => {
  const text = `Mills\n\n${"word ".repeat(200)}Here it is. ${"word ".repeat(200)}`;
  const start = text.indexOf("Here");
  const shown = excerptOf(text, [{ start, end: start + 11 }], "Mills");
  assert.ok(shown.start > 0 && shown.start < start && shown.end >= start + 11 && shown.end < text.length);
  assert.deepEqual(excerptOf("Mills\n\nShort.", [], "Mills"), { start: 7, end: 13 });
});
