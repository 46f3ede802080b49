import assert from "node:assert/strict";
import { test } from "node:test";
import { planExamples } from "./planned-examples.ts";

const fact = (source: string) => ({ source, target: "Porto", text: `${source} was born in Porto.` });
const edge = (name: string, examples: readonly ReturnType<typeof fact>[]) => ({
  ...{ name, source_types: ["Person"], target_types: ["Place"], examples },
});
const person = { properties: [], description: "", examples: ["Ida"] };

test("what will be added to an ontology is told by type: neither what it has, nor what has no place", () => {
  const full = Array.from({ length: 199 }, (_, at) => fact(`Person ${at}`));
  const schema = {
    ontology: {
      hierarchy: [{ level: 0, node_types: { Person: person } }],
      edge_types: [edge("BORN_IN", [fact("Ida")]), edge("LIVES_IN", full), edge("WORKS_IN", [fact("Ida")])],
    },
  };
  const plan = planExamples(schema, {
    node_types: [{ name: "Person", examples: ["Ida", "Lars"] }],
    edge_types: [
      { name: "BORN_IN", examples: [fact("Ida"), fact("Lars"), fact("Maud")], rejected: [fact("Jon")] },
      { name: "LIVES_IN", examples: [fact("Ida"), fact("Maud")], rejected: [] },
      { name: "WORKS_IN", examples: [fact("Ida")], rejected: [] },
      { name: "OWNS", examples: [fact("Ida")], rejected: [] },
    ],
  });
  assert.deepEqual(plan, [
    { type: "Person", added: 1, leftOut: 0, reason: null },
    { type: "BORN_IN", added: 2, leftOut: 0, reason: null },
    { type: "LIVES_IN", added: 1, leftOut: 1, reason: "full" },
    { type: "OWNS", added: 0, leftOut: 1, reason: "no type" },
  ]);
});
