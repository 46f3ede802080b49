import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChunkFacts } from "../graph.ts";
import { parseOntology } from "../ontology-schema.ts";
import { compareOntologies, NO_GRAPH } from "./compare.ts";
import { createReadingNames, readingNames } from "./read-names.ts";

const schemaOf = (node_types: Record<string, object>, edge_types: readonly object[] = []) =>
  JSON.stringify({ ontology: { hierarchy: [{ level: 0, node_types }], edge_types } });
const edge = (name: string, source: string, target: string) => ({
  ...{ name, source_types: [source], target_types: [target] },
});
const bound = (schemaJson: string) => ({ ontologyId: "ont_1", schemaJson });

test("a renamed type is read as the ontology before it was, and what is found has its present name", () => {
  const before = schemaOf({ Town: { aliases: ["Place"] }, Firm: {} }, [edge("LIES_IN", "Firm", "Town")]);
  const after = schemaOf({ Place: { aliases: ["Place"], read_as: "Town" }, Firm: {} }, [
    { ...edge("IS_IN", "Firm", "Place"), read_as: "LIES_IN" },
  ]);
  const { ontology, present } = createReadingNames()(bound(after));
  assert.deepEqual(parseOntology(ontology.schemaJson), parseOntology(before));
  const [firm, town] = [
    { type: "Firm", key: "orla" },
    { type: "Town", key: "bath" },
  ];
  const span = { start: 0, end: 4 };
  const stated = {
    ...{ ...span, type: "LIES_IN", source: firm, target: town, confidence: 1, extractor: "x" },
    ...{ validFrom: null, validTo: null },
  };
  const facts: ChunkFacts = {
    entities: [{ ...town, ...span, name: "Bath", confidence: 1 }],
    relationships: [stated],
    properties: [{ ...span, entity: town, property: "county", value: "Somerset" }],
    aliases: [{ ...town, ...span, alias: "aquae sulis" }],
    candidates: [{ ...town, candidate: "b" }],
    members: [{ ...span, parent: town, member: firm }],
    proposals: [{ ...stated, sourceName: "Orla", targetName: "Bath" }],
    unfit: [],
  };
  const found = JSON.stringify(present(facts));
  assert.equal(found, JSON.stringify(facts).replaceAll("Town", "Place").replaceAll("LIES_IN", "IS_IN"));
});

test("a name that another type has is not read under, nor one that two types claim", () => {
  const types = [
    { name: "Place", readAs: "Town" },
    { name: "Town" },
    { name: "Ship", readAs: "Vessel" },
    { name: "Boat", readAs: "vessel " },
    { name: "firm", readAs: "Firm" },
  ];
  assert.deepEqual(
    [...readingNames(types)],
    [
      ["Ship", "Vessel"],
      ["firm", "Firm"],
    ],
  );
  const plain = bound(schemaOf({ Place: { read_as: "Town" }, Town: {} }));
  assert.equal(createReadingNames()(plain).ontology, plain);
});

test("a name to read under that is none is a fault, and is not read", () => {
  const { nodeTypes, faults } = parseOntology(schemaOf({ Place: { read_as: 7 } }));
  assert.deepEqual(faults, [
    "schema.ontology.hierarchy[0].node_types.Place.read_as: got the number 7, expected the name that the type is read under",
  ]);
  assert.equal(nodeTypes[0]?.readAs, undefined);
});

test("a version of an ontology is read once, whatever asks for it", () => {
  const find = createReadingNames();
  const of = (ontologyId: string) => ({ ...bound(schemaOf({ Place: { read_as: "Town" } })), ontologyId });
  const first = find(of("ont_1"));
  assert.equal(find(of("ont_1")), first);
  assert.notEqual(find(of("ont_2")), first);
});

test("a comparison gives an earlier type to the one that texts are read for: of two that claim its name the first", () => {
  const of = (types: Record<string, object>) => parseOntology(schemaOf(types));
  const before = of({ Town: {}, Ship: {} });
  const after = of({
    Alpha: { read_as: "Town" },
    Beta: { read_as: "Town" },
    Gamma: { read_as: "Beta" },
    Ship: {},
  });
  const { nodeTypes } = compareOntologies(before, after, NO_GRAPH);
  const told = nodeTypes.map(({ change, name, to }) => [change, name, to]);
  assert.deepEqual(told, [
    ["renamed", "Town", "Alpha"],
    ["kept", "Ship", "Ship"],
    ["added", null, "Beta"],
    ["added", null, "Gamma"],
  ]);
  assert.deepEqual([...readingNames(after.nodeTypes)], [["Alpha", "Town"]]);
});
