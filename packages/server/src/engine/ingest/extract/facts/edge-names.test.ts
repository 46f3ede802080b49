import assert from "node:assert/strict";
import { it } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createEdgeNames } from "./edge-names.ts";
import { findStatementLinks } from "./statement-links.ts";
import { readTestPassage } from "./test-sentences.ts";

const TYPES = {
  Tarling: "Company",
  Kestrel: "Company",
  Osterby: "Place",
  "Ada Larsen": "Person",
  pumps: "Product",
};

/** The edge type that a sentence states first in an ontology with these alone, "<" before one that runs the other way. */
function edgesOf(text: string, names: readonly string[]): readonly string[] {
  const types = Object.fromEntries([...new Set(Object.values(TYPES))].map((name) => [name, {}]));
  const ends = { source_types: Object.keys(types), target_types: Object.keys(types) };
  const ontology = {
    hierarchy: [{ level: 0, node_types: types }],
    edge_types: names.map((name) => ({ name, ...ends })),
  };
  const findEdges = createEdgeNames(parseOntology(JSON.stringify({ ontology })));
  const { passage, entities } = readTestPassage(text, TYPES);
  return passage.sentences
    .flatMap((sentence) => findStatementLinks({ sentence, entities, opening: null, documentSubject: null }))
    .flatMap(findEdges)
    .map(({ edge, isInverse }) => `${isInverse ? "<" : ""}${edge.name}`)
    .slice(0, 1);
}

it("a verb that says more than an edge type says that, too", () => {
  assert.deepEqual(edgesOf("Tarling is headquartered in Osterby.", ["LOCATED_IN"]), ["LOCATED_IN"]);
  assert.deepEqual(edgesOf("Ada Larsen runs Kestrel.", ["MANAGES"]), ["<MANAGES"]);
  assert.deepEqual(edgesOf("Ada Larsen runs Kestrel.", ["LED_BY"]), ["LED_BY"]);
});

it("a vague verb states what an edge type calls by it, or by what it means of things", () => {
  assert.deepEqual(edgesOf("Tarling makes pumps.", ["MAKES"]), ["MAKES"]);
  assert.deepEqual(edgesOf("Tarling makes pumps.", ["MANUFACTURED_BY"]), ["<MANUFACTURED_BY"]);
  assert.deepEqual(edgesOf("Tarling makes pumps.", ["OWNS"]), []);
});

it("an owner has not acquired what he owns", () => {
  assert.deepEqual(edgesOf("Tarling owns Kestrel.", ["ACQUIRED"]), []);
  assert.deepEqual(edgesOf("Tarling owns Kestrel.", ["OWNED_BY"]), ["OWNED_BY"]);
});
