import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../test/support/growth.ts";
import { checkFact, parseOntology } from "../ontology-schema.ts";
import { createFactCheck, NO_FACTS, readAllowedFacts, writeAllowedFacts } from "./allowed-facts.ts";
import type { OntologySchema } from "./types.ts";

interface Edge {
  readonly name: string;
  readonly source_types: readonly string[];
  readonly target_types: readonly string[];
}

function schemaOf(types: readonly string[], edges: readonly Edge[], properties: readonly string[] = []) {
  const node_types = Object.fromEntries(types.map((type) => [type, { properties, description: "x" }]));
  const edge_types = edges.map((edge) => ({ ...edge, properties, description: "x" }));
  return parseOntology(JSON.stringify({ ontology: { hierarchy: [{ level: 0, node_types }], edge_types } }));
}

/** As many node types, edge types and facts that are allowed. */
function large(size: number) {
  const types = Array.from({ length: size }, (_, at) => `Type${at}`);
  const edges = types.map((type, at) => ({ name: `E${at}`, source_types: [type], target_types: [type] }));
  const facts = types.map((type, at) => ({ type: `E${at}`, sourceType: type, targetType: type }));
  return { schema: schemaOf(types, edges), facts };
}

const types = Array.from({ length: 60 }, (_, at) => `T${at}`);
const ends = fc.oneof(
  fc.subarray(types, { minLength: 1, maxLength: 4 }),
  fc.subarray(types, { minLength: 30 }),
);
const ontology = fc
  .tuple(
    fc.subarray(types),
    fc.array(fc.record({ source_types: ends, target_types: ends }), { maxLength: 4 }),
  )
  .map(([known, edges]) => {
    return schemaOf(
      known,
      edges.map((edge, at) => ({ ...edge, name: `E${at}` })),
    );
  });

test("the short form of an ontology allows the facts that the ontology allows", () => {
  let [allowed, refused] = [0, 0];
  fc.assert(
    fc.property(ontology, (schema) => {
      const written = readAllowedFacts(writeAllowedFacts(schema).facts);
      const direct = createFactCheck(schema);
      for (const type of ["E0", "E1", "E3", "E9"])
        for (const sourceType of types)
          for (const targetType of ["T0", "T1", "T30", "T58", "T59", "other"]) {
            const fact = { type, sourceType, targetType };
            const expected = checkFact(schema, fact) === "fits";
            if (expected) allowed += 1;
            else refused += 1;
            assert.equal(written.allows(fact), expected, JSON.stringify(fact));
            assert.equal(direct.allows(fact), expected, JSON.stringify(fact));
          }
    }),
    { numRuns: 60 },
  );
  assert.ok(allowed > 100 && refused > 100, `${allowed} allowed, ${refused} refused`);
  const none: OntologySchema = { nodeTypes: [], edgeTypes: [], faults: [] };
  assert.deepEqual(writeAllowedFacts(none), NO_FACTS);
});

test("the short form has nothing of an ontology but its facts, and no list of types for each edge type", () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `Type${at}`);
  const edge = { name: "E", source_types: names, target_types: names };
  const properties = Array.from({ length: 200 }, (_, at) => `property ${at}`);
  const few = writeAllowedFacts(schemaOf(names.slice(0, 20), [edge], properties));
  assert.equal(few.facts, writeAllowedFacts(schemaOf(names.slice(0, 20), [edge])).facts);
  const one = writeAllowedFacts(schemaOf(names, [edge])).facts.length;
  const two = writeAllowedFacts(schemaOf(names, [edge, { ...edge, name: "F" }])).facts.length;
  assert.ok(two - one < 1_100, `${two - one} characters for two ends of 2,000 types`);
});

test("facts are checked in time that does not grow with the ontology", async () => {
  const [small, big] = [large(400), large(1_600)];
  const inputOf = (size: number) => (size === 400 ? small : big);
  await assertLinear("write", 400, (size) => writeAllowedFacts(inputOf(size).schema));
  await assertLinear("check", 400, (size) => {
    const { schema, facts } = inputOf(size);
    const { allows } = createFactCheck(schema);
    assert.ok(facts.every(allows));
  });
});
