import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyAnswer, type QueryResult } from "@kcs/sdk";
import { passagesOn, readAnswer } from "./read-answer.ts";

function answerOf(summary: string, given: Partial<QueryResult> & Partial<QueryResult["results"]> = {}) {
  const { chunks = [], relationships = [], ...rest } = given;
  return { ...emptyAnswer, ...rest, results: { ...emptyAnswer.results, summary, chunks, relationships } };
}

function kindOf(summary: string, similarities: readonly number[], strategy = "hybrid_graph") {
  const chunks = similarities.map((similarity) => ({ text: summary, similarity }));
  return readAnswer(answerOf(summary, { chunks, strategy_used: strategy }), "How slow are barges?").kind;
}

test("an answer is as sure as its best passage is relevant", () => {
  const kinds = [[0.4, 0.1], [0.05, 0.39], [0.15], [0.14, 0.05]].map((each) =>
    kindOf("Barges are slow.", each),
  );
  assert.deepEqual(kinds, ["found", "perhaps", "perhaps", "unsure"]);
});

test("what the service states counts more than how relevant passages are", () => {
  assert.equal(kindOf("No passage that was found answers this.", [0.9]), "none");
  assert.equal(kindOf("Going by these sentences, A was built first: 1790 against 1801.", [0.1]), "found");
  assert.equal(kindOf("Barges are slow.", [0.1], "hybrid_rerank_answer"), "found");
  assert.equal(kindOf("No passage that was found answers this.", [0.1], "hybrid_answer"), "none");
});

test("what people have stated is the answer, before sentences that say more, and without those that come nearest", () => {
  const stated = "Stated by a person: Barges – owned by – Ada.";
  const told = { source: "Barges", type: "OWNED_BY", target: "Ada", valid_from: null, valid_to: null };
  const read = (rest: string) => {
    const chunks = [{ text: "Barges are slow.", similarity: 0.2 }];
    return readAnswer(answerOf(`${stated}\n${rest}`, { chunks, stated: [told] }), "Who owns barges?");
  };
  const said = read("Barges are slow.");
  assert.deepEqual(
    [said.kind, said.text, said.parts.map(({ places }) => places.length)],
    ["found", `${stated}\nBarges are slow.`, [0, 1]],
  );
  const denied = read("No passage that was found answers this. What comes nearest:\nBarges are slow.");
  assert.deepEqual([denied.kind, denied.statement, denied.text], ["found", "", stated]);
  const chunks = [{ text: stated, similarity: 0.2 }];
  const forged = readAnswer(answerOf(stated, { chunks }), "Who owns barges?");
  assert.deepEqual([forged.kind, forged.parts.map(({ places }) => places.length)], ["perhaps", [1]]);
  const model = readAnswer(answerOf("Ada owns them.", { chunks, stated: [told] }), "Who owns barges?");
  assert.match(model.text, /^Stated by a person: .*\nAda owns them\.$/);
});

const mill = "Larkspur Mill was founded by Odile Brandt.";
const founder = "Odile Brandt was born in Kestrel Bay.";
const from = { source_doc_id: "mill", chunk_id: "1.0", sentence: mill, start: 0, end: mill.length };

/** Of two searches: one for the question, one for the name that it led to. */
function reached(summary: string, type: string): QueryResult {
  return answerOf(summary, {
    strategy_used: "dynamic_builtin_multi_hop",
    chunks: [
      { text: mill, similarity: 0.1, chunk_id: "1.0", source_doc_id: "mill" },
      { text: "Bees are kept in hives.", similarity: 0.09, chunk_id: "3.0", source_doc_id: "bees" },
      { text: founder, similarity: 0.08, chunk_id: "2.0", source_doc_id: "founder" },
    ],
    relationships: [{ source: "Larkspur Mill", target: "Odile Brandt", type }],
    steps: [
      { query: "Q", name: null, from: null, chunk_ids: ["1.0"] },
      { query: "Q", name: "Odile Brandt", from, chunk_ids: ["2.0"] },
    ],
  });
}

test("a sentence that a path of asked relationships leads to answers, however unlike the question it is", () => {
  const question = "Where was the founder of Larkspur Mill born?";
  const result = reached(founder, "FOUNDED_BY");
  const { kind, paths, isReached } = readAnswer(result, question);
  assert.deepEqual([kind, isReached], ["found", true]);
  assert.deepEqual([...passagesOn(paths, result.results.chunks)].sort(), [0, 2]);
});

test("a path over what was not asked for, or to what the answer only mentions later, makes nothing sure", () => {
  const question = "Where was the founder of Larkspur Mill born?";
  const other = reached(founder, "LOCATED_IN");
  const { kind, isReached } = readAnswer(other, question);
  assert.deepEqual([kind, isReached], ["unsure", false]);
  assert.equal(passagesOn(readAnswer(other, question).paths, other.results.chunks).size, 0);
  assert.equal(readAnswer(reached(`${mill} ${founder}`, "FOUNDED_BY"), question).kind, "unsure");
});
