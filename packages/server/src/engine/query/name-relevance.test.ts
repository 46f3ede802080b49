import assert from "node:assert/strict";
import { test } from "node:test";
import { createNameRelevance } from "./name-relevance.ts";
import { scoreAnswer } from "./summarize.ts";

const text = `The mill at Vorrendal grinds rye. It was sold in May to the baker Ida Marsk.

Odile Brandt painted the ceiling of the chapel, and the organ was tuned by Piet Aas.

| Bell | Weight | Founder |
|---|---|---|
| Great | 900 kg | Halvard Moe |
| Small | 80 kg | Signe Dahl |`;

function relevance(query: string, name: string, type = "Person"): number {
  const chunks = [{ text, versionId: 1, start: 0, similarity: 0.6 }];
  return createNameRelevance(query, { scores: scoreAnswer({ query, chunks }), answers: [] }).of({
    key: name,
    type,
  });
}

test("a name is as relevant as its sentence is near the question", () => {
  const query = "Who painted the ceiling of the chapel?";
  assert.equal(relevance(query, "odile brandt"), 1);
  assert.ok(relevance(query, "ida marsk") < 0.5);
  assert.ok(relevance(query, "halvard moe") < 0.5);
  assert.equal(relevance(query, "nobody"), 0);
});

test("a name in a table row takes its relevance from the row, not from the columns that all rows share", () => {
  const query = "Who was the founder of the Great bell?";
  assert.equal(relevance(query, "halvard moe"), 1);
  assert.ok(relevance(query, "signe dahl") < 0.5);
});

test("of sentences with the same words, the one in the better chunk is more relevant", () => {
  const query = "Who painted the chapel?";
  const chunks = [
    { text: "Ida Marsk painted the chapel.", versionId: 1, start: 0, similarity: 0.6 },
    { text: "Piet Aas painted the chapel.", versionId: 2, start: 0, similarity: 0 },
  ];
  const { of } = createNameRelevance(query, { scores: scoreAnswer({ query, chunks }), answers: [] });
  assert.equal(of({ key: "ida marsk", type: "" }), 1);
  const other = of({ key: "piet aas", type: "" });
  assert.ok(other > 0.5 && other < 1, `${other}`);
});

test("names of the requested type are relevant wherever they occur", () => {
  assert.equal(relevance("Which persons are mentioned?", "signe dahl"), 1);
  assert.ok(relevance("Which persons are mentioned?", "vorrendal", "Location") < 0.5);
});

test("no name is relevant to a question that is unrelated to the sentences", () => {
  assert.equal(relevance("Which enzyme copies chromosomes?", "ida marsk"), 0);
});

test("a question asks for edges by their words or related words", () => {
  const { asksFor } = createNameRelevance("Who built the Marlin, and where was it moored?", {
    scores: [],
    answers: [],
  });
  assert.deepEqual(["MOORED_AT", "MANUFACTURED_BY", "LIVES_IN"].map(asksFor), [true, true, false]);
});

test("a name that the summary quotes is relevant even if its sentence shares no term with the question", () => {
  const answers = ["Bell\nIt was sold in May to the baker Ida Marsk."];
  const { of } = createNameRelevance("Who owns it?", { scores: [], answers });
  assert.equal(of({ key: "ida marsk", type: "Person" }), 1);
  assert.equal(of({ key: "odile brandt", type: "Person" }), 0);
});
