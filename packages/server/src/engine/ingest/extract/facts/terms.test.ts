import assert from "node:assert/strict";
import { it } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { readTerm } from "./terms.ts";
import { readTestPassage } from "./test-sentences.ts";
import { createTypeRules } from "./type-rules.ts";

const schema = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [{ level: 0, node_types: { Company: {}, Product: {}, Office: {} } }],
      edge_types: [],
    },
  }),
);
const { mayBe } = createTypeRules(schema);

/** Terms of a text whose every mention would be a product rather than a company, if anything. */
function termsIn(text: string): readonly string[] {
  const { passage } = readTestPassage(text, {});
  return passage.sentences.flatMap(({ mentions, index }) =>
    mentions.flatMap((mention) => {
      const score = { types: new Float32Array([0.005, 0.015, 0]), none: 0.98 };
      const term = readTerm(mention, score, { passage, index, mayBe, schema });
      return term === null ? [] : [`${term.name} ${term.type}`];
    }),
  );
}

it("kinds of things without an article may be what a statement is about", () => {
  assert.deepEqual(termsIn("Tarnwick makes pumps and kitchen lamps."), [
    "pumps Product",
    "kitchen lamps Product",
  ]);
});

it("one thing with an article, what is done, and what a type is called are none", () => {
  assert.deepEqual(termsIn("Tarnwick sold the pump, its lamp and three boats."), []);
  assert.deepEqual(termsIn("Tarnwick makes progress and mistakes."), []);
  assert.deepEqual(termsIn("Tarnwick makes products."), []);
});

it("people, firms and places have names", () => {
  const { passage } = readTestPassage("The hall was sold by retailers.", {});
  const [sentence] = passage.sentences;
  const score = { types: new Float32Array([0.02, 0, 0]), none: 0.98 };
  for (const mention of sentence?.mentions ?? [])
    assert.equal(readTerm(mention, score, { passage, index: 0, mayBe, schema }), null);
});
