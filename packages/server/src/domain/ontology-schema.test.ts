import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFact, hasNodeType, parseOntology } from "./ontology-schema.ts";

const FULL = `{"note": 1, "ontology": {
  "hierarchy": [
    {"level": 2, "node_types": {"Region": {"aggregates": ["Fleet", "Harbour"]}}},
    {"level": 0, "colour": "red", "node_types": {
      "Ship": {"properties": ["length"], "description": "A vessel", "examples": ["Aurora", "Aurora"], "aliases": ["vessel"]},
      "Harbour": {}}},
    {"level": 1, "node_types": {"Fleet": {"aggregates": ["Ship"]}}}],
  "edge_types": [
    {"name": "MOORED_IN", "source_types": ["Ship"], "target_types": ["Harbour", "Region"], "properties": ["berth"],
     "temporal": true, "description": "Lies there", "aliases": ["lies in"], "examples": [
       "The Aurora lies in Orrin.", {"source": "Aurora", "target": "Orrin", "text": "Aurora, at Orrin."},
       {"subject": "Aurora", "object": "Orrin"}, ["Aurora", "Orrin"], ["Aurora", "MOORED_IN", "Orrin"]]},
    {"name": "PART_OF", "source_types": ["Ship"], "target_types": ["Fleet"]}]
}}`;

test("node types are read in the order of their levels, with defaults for absent members", () => {
  const schema = parseOntology(FULL);
  const bare = { description: "", properties: [], aggregates: [], examples: [], aliases: [] };
  assert.deepEqual(schema.nodeTypes, [
    {
      name: "Ship",
      level: 0,
      description: "A vessel",
      properties: ["length"],
      aggregates: [],
      examples: ["Aurora"],
      aliases: ["vessel"],
    },
    { ...bare, name: "Harbour", level: 0 },
    { ...bare, name: "Fleet", level: 1, aggregates: ["Ship"] },
    { ...bare, name: "Region", level: 2, aggregates: ["Fleet", "Harbour"] },
  ]);
  const names = { source: "Aurora", target: "Orrin", text: null };
  assert.deepEqual(schema.edgeTypes[0], {
    name: "MOORED_IN",
    sourceTypes: ["Ship"],
    targetTypes: ["Harbour", "Region"],
    properties: ["berth"],
    temporal: true,
    functional: false,
    description: "Lies there",
    aliases: ["lies in"],
    examples: [
      { source: null, target: null, text: "The Aurora lies in Orrin." },
      { ...names, text: "Aurora, at Orrin." },
      names,
      names,
      names,
    ],
  });
  assert.deepEqual(schema.edgeTypes[1]?.temporal, false);
  assert.deepEqual(schema.faults, []);
});

test("invalid parts are left out and reported, and the rest is used", () => {
  const schema = parseOntology(`{"ontology": {
    "hierarchy": [
      {"level": 0, "node_types": {"Ship": {"aggregates": ["Fleet"], "properties": ["length", 3]}, "Harbour": {}, "": {}}},
      {"level": 0, "node_types": {"Fleet": {"description": 7}, "ship": {}}},
      {"level": "high", "node_types": {"Region": {}}}],
    "edge_types": [
      {"name": "MOORED_IN", "source_types": ["Ship", "Raft"], "target_types": ["Harbour"], "examples": [{}]},
      {"name": "MOORED_IN", "source_types": ["Fleet"], "target_types": ["Harbour"]},
      {"name": "OWNED_BY", "source_types": ["Ship"], "target_types": ["Owner"]}]
  }}`);
  assert.deepEqual(
    schema.nodeTypes.map(({ name, level, aggregates, properties }) => [name, level, aggregates, properties]),
    [
      ["Ship", 0, [], ["length"]],
      ["Harbour", 0, [], []],
      ["Fleet", 0, [], []],
    ],
  );
  assert.deepEqual(
    schema.edgeTypes.map(({ name, sourceTypes, targetTypes, examples }) => [
      name,
      sourceTypes,
      targetTypes,
      examples,
    ]),
    [["MOORED_IN", ["Ship"], ["Harbour"], []]],
  );
  assert.equal(schema.faults.length, 9);
  assert.match(
    schema.faults[0] ?? "",
    /^schema\.ontology\.hierarchy\[0\]\.node_types\.Ship\.properties\[1\]: /,
  );
});

test("a text that is not an ontology gives an empty schema", () => {
  for (const json of [
    "",
    "{",
    "null",
    "[]",
    "{}",
    '{"ontology": null}',
    '{"ontology": {"hierarchy": "no"}}',
  ]) {
    const schema = parseOntology(json);
    assert.deepEqual([schema.nodeTypes, schema.edgeTypes], [[], []], json);
    assert.equal(schema.faults.length > 0, true, json);
  }
});

test("a fact fits only if its edge type allows the types of both ends in this direction", () => {
  const schema = parseOntology(FULL);
  const outcome = (sourceType: string, type: string, targetType: string) =>
    checkFact(schema, { type, sourceType, targetType });
  assert.equal(outcome("Ship", "MOORED_IN", "Harbour"), "fits");
  assert.equal(outcome("Ship", "MOORED_IN", "Region"), "fits");
  assert.equal(outcome("Ship", "SANK_IN", "Harbour"), "unknown_edge_type");
  assert.equal(outcome("Raft", "MOORED_IN", "Harbour"), "unknown_source_type");
  assert.equal(outcome("Ship", "MOORED_IN", "harbour"), "unknown_target_type");
  assert.equal(outcome("Harbour", "MOORED_IN", "Ship"), "source_not_allowed");
  assert.equal(outcome("Ship", "MOORED_IN", "Ship"), "target_not_allowed");
});

test("an entity fits only if its type is in the hierarchy", () => {
  const schema = parseOntology(FULL);
  assert.equal(hasNodeType(schema, "Region"), true);
  assert.equal(hasNodeType(schema, "region"), false);
  assert.equal(hasNodeType(schema, "__proto__"), false);
});

test("an edge type that is one at a time has times", () => {
  const edge = { name: "MOORED_IN", source_types: ["Ship"], target_types: ["Ship"], functional: true };
  const hierarchy = [{ level: 0, node_types: { Ship: {} } }];
  const { edgeTypes } = parseOntology(JSON.stringify({ ontology: { hierarchy, edge_types: [edge] } }));
  assert.deepEqual([edgeTypes[0]?.functional, edgeTypes[0]?.temporal], [true, true]);
});
