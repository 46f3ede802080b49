import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../domain/ontology-schema.ts";
import { createHubFinder, type GatheringPlan, planGathering, type UpperType } from "./gathering.ts";

const edge = (name: string, source: string, target: string) => ({
  name,
  source_types: [source],
  target_types: [target],
});

function planOf(edges: readonly object[], upper: object = { aggregates: ["Boat"] }) {
  const hierarchy = [
    { level: 0, node_types: { Boat: {}, Firm: {}, Captain: {}, Year: {} } },
    { level: 1, node_types: { Flotilla: upper } },
  ];
  return planGathering(parseOntology(JSON.stringify({ ontology: { hierarchy, edge_types: edges } })));
}

/** Of boats, in a graph that has relationships of all edge types. */
function hubsOf(plan: GatheringPlan, type: UpperType) {
  const ends = new Map(Object.entries({ OWNED_BY: "Firm", LED_BY: "Captain", BUILT_IN: "Year" }));
  const kinds = plan.schema.edgeTypes.map(({ name }) => {
    return { type: name, sourceType: "Boat", targetType: ends.get(name) ?? "" };
  });
  return createHubFinder(plan, kinds)(type, new Set(["Boat"]));
}

test("edge types whose names state membership are used, in the direction that they state", () => {
  const [type] = planOf([
    edge("PART_OF", "Boat", "Flotilla"),
    edge("CONTAINS", "Flotilla", "Boat"),
    edge("RAMMED", "Boat", "Flotilla"),
    edge("PART_OF_BOAT", "Flotilla", "Boat"),
  ]).upperTypes;
  assert.deepEqual(
    type?.memberEdges.map(({ kind }) => kind.type),
    ["PART_OF", "CONTAINS"],
  );
});

test("a single edge type between a type and its members is used; of two without membership names, none is", () => {
  const single = planOf([edge("SAILED", "Boat", "Flotilla")]).upperTypes[0];
  assert.deepEqual(
    single?.memberEdges.map(({ kind, namesMembership }) => [kind.type, namesMembership]),
    [["SAILED", false]],
  );
  const two = planOf([edge("SAILED", "Boat", "Flotilla"), edge("LEFT", "Boat", "Flotilla")]).upperTypes[0];
  assert.deepEqual(two?.memberEdges, []);
});

test("the words of a type select the hubs of its members; a year is never a hub", () => {
  const plan = planOf(
    [edge("OWNED_BY", "Boat", "Firm"), edge("LED_BY", "Boat", "Captain"), edge("BUILT_IN", "Boat", "Year")],
    { aggregates: ["Boat"], description: "All boats under one captain" },
  );
  const [type] = plan.upperTypes;
  assert.ok(type);
  assert.deepEqual(
    hubsOf(plan, type).map(({ kind, score }) => [kind.type, score]),
    [
      ["LED_BY", 2],
      ["OWNED_BY", 1],
    ],
  );
});

test("owner and owned have the same root, and descriptive stems exclude the grouped types", () => {
  const plan = planOf([edge("OWNED_BY", "Boat", "Firm")], {
    aggregates: ["Boat"],
    description: "The boats of an owner",
  });
  const [type] = plan.upperTypes;
  assert.ok(type);
  assert.ok(!type.descriptiveStems.has("boat"));
  assert.equal(hubsOf(plan, type)[0]?.score, 3);
});

test("only the kinds of relationships that the graph has can be hubs", () => {
  const plan = planOf([edge("OWNED_BY", "Boat", "Firm"), edge("LED_BY", "Boat", "Captain")]);
  const [type] = plan.upperTypes;
  assert.ok(type);
  const kinds = [{ type: "LED_BY", sourceType: "Boat", targetType: "Captain" }];
  const typesOf = (own: typeof kinds) =>
    createHubFinder(plan, own)(type, new Set(["Boat", "Captain", "Firm"])).map(({ kind }) => kind.type);
  assert.deepEqual(typesOf([]), []);
  assert.deepEqual(new Set(typesOf(kinds)), new Set(["LED_BY"]));
});

test("a plan of an ontology whose types all refer to each other is bounded", () => {
  const lower = Array.from({ length: 300 }, (_, at) => `Lower${at}`);
  const upper = Array.from({ length: 300 }, (_, at) => `Upper${at}`);
  const typesOf = (names: readonly string[], type: object) =>
    Object.fromEntries(names.map((name) => [name, type]));
  const hierarchy = [
    { level: 0, node_types: typesOf(lower, {}) },
    { level: 1, node_types: typesOf(upper, { aggregates: lower }) },
  ];
  const edge_types = Array.from({ length: 300 }, (_, at) => {
    return { name: `PART_OF_${at}`, source_types: lower, target_types: upper };
  });
  const ontology = { hierarchy, edge_types };
  const { upperTypes } = planGathering(parseOntology(JSON.stringify({ ontology })));
  assert.equal(upperTypes.length, 128);
  for (const { aggregates, memberEdges } of upperTypes)
    assert.deepEqual([aggregates.length, memberEdges.length], [128, 256]);
});

test("hubs are found in time by the words of the edge types, however many upper types and kinds there are", () => {
  let reads = 0;
  const words = Array.from({ length: 40 }, (_, at) => `q${at}wyxz`);
  const names = Array.from({ length: 40 }, (_, at) => `Lower${at}`);
  const typesOf = (all: readonly string[], type: object) =>
    Object.fromEntries(all.map((name) => [name, type]));
  const upper = Array.from({ length: 100 }, (_, at) => `Upper${at}`);
  const hierarchy = [
    { level: 0, node_types: typesOf(names, {}) },
    { level: 1, node_types: typesOf(upper, { aggregates: names, description: words.join(" ") }) },
  ];
  const edge_types = [{ name: "RAMMED", source_types: names, target_types: names }];
  const plan = planGathering(parseOntology(JSON.stringify({ ontology: { hierarchy, edge_types } })));
  const counted = plan.upperTypes.map((type) => ({
    ...type,
    get descriptiveStems() {
      reads++;
      return type.descriptiveStems;
    },
  }));
  const kinds = names.map((name) => ({ type: "RAMMED", sourceType: name, targetType: "Lower0" }));
  const find = createHubFinder({ ...plan, upperTypes: counted }, kinds);
  for (const type of counted) assert.equal(find(type, new Set(names)).length, 80);
  assert.ok(reads <= 2 * counted.length, `read ${reads} times`);
});

test("a plan keeps nothing of an ontology but names, and of its other names a bounded number", () => {
  const aliases = Array.from({ length: 100 }, (_, at) => `Other ${at}`);
  const type = { aliases, description: "d".repeat(9_000), properties: ["p"], examples: ["e"] };
  const lower = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`Lower${at}`, type]));
  const hierarchy = [
    { level: 0, node_types: lower },
    { level: 1, node_types: { Upper: { aggregates: ["Lower0"] } } },
  ];
  const { schema } = planGathering(parseOntology(JSON.stringify({ ontology: { hierarchy } })));
  assert.ok(JSON.stringify(schema).length < 250_000);
  assert.equal(schema.nodeTypes[0]?.aliases.length, 40);
});
