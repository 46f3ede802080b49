import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../domain/ontology-schema.ts";
import { createTagger } from "../../ingest/extract/statements/create-tagger.ts";
import { suggestOntology } from "./suggest-ontology.ts";

const tag = createTagger();

function suggest(useCase: string) {
  const outcome = suggestOntology(useCase, tag);
  assert.ok(outcome.kind === "suggestion", JSON.stringify(outcome));
  const { nodeTypes, edgeTypes } = parseOntology(outcome.suggestion.schemaJson);
  const edges = edgeTypes.map(
    ({ name, sourceTypes, targetTypes }) => `${sourceTypes.join("/")} ${name} ${targetTypes.join("/")}`,
  );
  return { types: nodeTypes.map(({ name }) => name).toSorted(), edges: edges.toSorted() };
}

const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    "Which companies sell which products, and the products the company sells?",
    ["Company", "Product"],
    ["Company SELLS Product"],
  ],
  [
    "A company has a name. The products the company sells are made in factories.",
    ["Company", "Factory", "Product"],
    ["Company SELLS Product", "Product MADE_IN Factory"],
  ],
  [
    "The parts a machine needs are stored in warehouses.",
    ["Machine", "Part", "Warehouse"],
    ["Machine NEEDS Part", "Part STORED_IN Warehouse"],
  ],
  [
    "Every film a studio produces has a director.",
    ["Director", "Film", "Studio"],
    ["Film HAS_DIRECTOR Director", "Studio PRODUCES Film"],
  ],
  [
    "Which museums own which paintings, and the painters the museum exhibits?",
    ["Museum", "Painter", "Painting"],
    ["Museum EXHIBITS Painter", "Museum OWNS Painting"],
  ],
  [
    "which museums own which paintings, and the painters the museum exhibits",
    ["Museum", "Painter", "Painting"],
    ["Museum EXHIBITS Painter", "Museum OWNS Painting"],
  ],
  [
    "We track the bridges the engineers design and the rivers the bridges cross.",
    ["Bridge", "Engineer", "River"],
    ["Bridge CROSSES River", "Engineer DESIGNS Bridge"],
  ],
  [
    "Track which suppliers deliver which parts, the parts the machine needs, and the factories the supplier serves.",
    ["Factory", "Machine", "Part", "Supplier"],
    ["Machine NEEDS Part", "Supplier DELIVERS Part", "Supplier SERVES Factory"],
  ],
  [
    "We need to know the people, the companies and the products the company sells.",
    ["Company", "Product"],
    ["Company SELLS Product"],
  ],
];

for (const [text, types, edges] of cases)
  test(`the noun that a clause without "that" tells of is its object: ${text}`, () => {
    const { types: found, edges: read } = suggest(text);
    assert.deepEqual(read, edges);
    assert.deepEqual(
      types.filter((type) => !found.includes(type)),
      [],
    );
    assert.ok(!found.some((type) => /(?:Sell|Need|Produce|Exhibit|Design)s?$/.test(type)), found.join(", "));
  });

test("a compound behind a noun is no clause", () => {
  const { types } = suggest("Shops give the customers the member discounts. A shop has an address.");
  assert.ok(types.includes("Customer"), types.join(", "));
});
