import assert from "node:assert/strict";
import { test } from "node:test";
import type { EdgeType, NodeType } from "../../../../domain/ontology-schema.ts";
import { SCHEMA, TYPES } from "../model/test-chunk.ts";
import { askForTypes, OPEN_TYPES } from "./label-texts.ts";

const node = (name: string, changes: Partial<NodeType> = {}): NodeType => ({
  ...{ name, level: 0, properties: [], description: "", aggregates: [], examples: [], aliases: [] },
  ...changes,
});
const edge = (name: string, changes: Partial<EdgeType> = {}): EdgeType => ({
  ...{ name, sourceTypes: [], targetTypes: [], temporal: false, functional: false },
  ...{ properties: [], description: "", examples: [], aliases: [], ...changes },
});

test("labels are the names of the types in words, with the types that a relation allows", () => {
  const { labels, types, edges } = askForTypes(TYPES.schema);
  assert.deepEqual(labels.entities, [
    { name: "person", description: "A human being. Not a role." },
    { name: "company", description: "" },
    { name: "city", description: "A town or city" },
  ]);
  assert.deepEqual(labels.relations, [
    { label: "born in", sources: [0], targets: [2] },
    { label: "works for", sources: [0], targets: [1, 0] },
  ]);
  assert.deepEqual(types, ["Person", "Company", "City"]);
  assert.deepEqual(
    edges.map(({ name }) => name),
    ["BORN_IN", "WORKS_FOR"],
  );
  assert.ok(SCHEMA.nodeTypes.length > types.length, "no type of a level above 0 is asked for");
});

test("a name that says nothing gives way to another name or the description; a label is there once", () => {
  const nodeTypes = [
    node("T047", { aliases: ["X9", "DiseaseOrSyndrome"] }),
    node("T121", { description: "A drug\n  that  is taken" }),
    node("T000"),
    node("BirdNest"),
    node("bird_nest"),
    node("Ort"),
    node("x".repeat(300), { description: "y".repeat(3_000) }),
  ];
  const { labels } = askForTypes({
    nodeTypes,
    edgeTypes: [edge("R1", { aliases: ["IsPartOf"] })],
    faults: [],
  });
  assert.deepEqual(
    labels.entities.slice(0, 6).map(({ name }) => name),
    ["disease or syndrome", "A drug that is taken", "t000", "bird nest", "bird_nest", "ort"],
  );
  assert.equal(labels.relations[0]?.label, "is part of");
  assert.equal(labels.entities[6]?.name.length, 80);
  assert.equal(labels.entities[6]?.description.length, 200);
});

test("without an ontology, broad types are asked for and no relations", () => {
  assert.deepEqual(OPEN_TYPES.types, ["Person", "Organization", "Location", "Event", "Work", "Product"]);
  assert.equal(OPEN_TYPES.labels.entities.length, OPEN_TYPES.types.length);
  assert.deepEqual(OPEN_TYPES.labels.relations, []);
});
