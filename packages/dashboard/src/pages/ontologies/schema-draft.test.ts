import assert from "node:assert/strict";
import { test } from "node:test";
import {
  edgesOnlyOf,
  emptySchema,
  isSameDraft,
  namesIn,
  parseSchema,
  printSchema,
  readDraft,
  withEdgeType,
  withNodeType,
} from "./schema-draft.ts";

const barge = {
  name: "Barge",
  level: 0,
  description: "Carries freight",
  properties: ["length"],
  aggregates: [],
};
const owns = {
  name: "OWNS",
  description: "",
  sources: ["Firm"],
  targets: ["Barge"],
  properties: [],
  isTemporal: true,
  isFunctional: true,
};

test("types that the form adds are read back unchanged", () => {
  const fleet = { ...barge, name: "Fleet", level: 2, aggregates: ["Barge"] };
  const schema = withEdgeType(withNodeType(withNodeType(emptySchema, null, barge), null, fleet), null, owns);
  assert.deepEqual(readDraft(schema), { nodeTypes: [barge, fleet], edgeTypes: [owns] });
  assert.deepEqual(parseSchema(printSchema(schema)), { schema, fault: null });
});

test("renaming a type also renames it in edge types and aggregates", () => {
  const fleet = { ...barge, name: "Fleet", level: 1, aggregates: ["Barge"] };
  const schema = withEdgeType(withNodeType(withNodeType(emptySchema, null, barge), null, fleet), null, owns);
  const draft = readDraft(withNodeType(schema, "Barge", { ...barge, name: "Boat" }));
  assert.deepEqual(draft.edgeTypes[0]?.targets, ["Boat"]);
  assert.deepEqual(draft.nodeTypes.find(({ name }) => name === "Fleet")?.aggregates, ["Boat"]);
});

test("a type keeps its place among the others, also under another name, and the name under which its texts are read", () => {
  const crew = { ...barge, name: "Crew" };
  const schema = withNodeType(withNodeType(emptySchema, null, barge), null, crew);
  const boat = { ...barge, name: "Boat", readAs: "Barge" };
  const renamed = withNodeType(schema, "Barge", boat);
  assert.deepEqual(readDraft(renamed).nodeTypes, [boat, crew]);
  assert.deepEqual(withNodeType(renamed, "Boat", barge), schema, "under its first name again");
  const edges = withEdgeType(schema, null, owns);
  const holds = { ...owns, name: "HOLDS", readAs: "OWNS" };
  assert.deepEqual(readDraft(withEdgeType(edges, 0, holds)).edgeTypes, [holds]);
  assert.deepEqual(withEdgeType(withEdgeType(edges, 0, holds), 0, owns), edges);
});

test("members that the form does not know survive it", () => {
  const schema = {
    note: "ours",
    ontology: {
      owner: "us",
      hierarchy: [
        {
          level: 0,
          colour: "red",
          node_types: { Barge: { examples: ["Ilse"], properties: [], description: "" } },
        },
      ],
      edge_types: [{ name: "OWNS", source_types: [], target_types: [], weight: 3 }],
    },
  };
  const edited = withEdgeType(withNodeType(schema, "Barge", barge), 0, owns) as typeof schema;
  assert.equal(edited.note, "ours");
  assert.equal(edited.ontology.owner, "us");
  assert.equal(edited.ontology.hierarchy[0]?.colour, "red");
  assert.deepEqual(edited.ontology.hierarchy[0]?.node_types.Barge.examples, ["Ilse"]);
  assert.equal(edited.ontology.edge_types[0]?.weight, 3);
});

test("a type is moved to another level, and removed", () => {
  const schema = withNodeType(emptySchema, null, barge);
  assert.deepEqual(readDraft(withNodeType(schema, "Barge", { ...barge, level: 1 })).nodeTypes, [
    { ...barge, level: 1 },
  ]);
  assert.deepEqual(readDraft(withNodeType(schema, "Barge", null)).nodeTypes, []);
});

test("with a type go the relationships that are only of it, and it leaves the ends of others", () => {
  const crew = { ...barge, name: "Crew" };
  const fleet = { ...barge, name: "Fleet", level: 1, aggregates: ["Barge"] };
  const edges = [
    { ...owns, name: "SAILS", sources: ["Crew"], targets: ["Barge"] },
    { ...owns, name: "MEETS", sources: ["Crew"], targets: ["Barge", "Crew"] },
    { ...owns, name: "KNOWS", sources: ["Crew"], targets: ["Crew"] },
  ];
  const types = [barge, crew, fleet].reduce<typeof emptySchema>(
    (schema, type) => withNodeType(schema, null, type),
    emptySchema,
  );
  const schema = edges.reduce((all, edge) => withEdgeType(all, null, edge), types);
  assert.deepEqual(namesIn(edgesOnlyOf(readDraft(schema), "Barge")), ["SAILS"]);
  const { nodeTypes, edgeTypes } = readDraft(withNodeType(schema, "Barge", null));
  assert.deepEqual(
    edgeTypes.map(({ name, targets }) => [name, targets]),
    [
      ["MEETS", ["Crew"]],
      ["KNOWS", ["Crew"]],
    ],
  );
  assert.deepEqual(nodeTypes.find(({ name }) => name === "Fleet")?.aggregates, []);
});

test("a text that is not a schema cannot be edited by the form", () => {
  for (const text of ["", "{", "[]", "1", '{"ontology": []}', '{"hierarchy": []}'])
    assert.equal(parseSchema(text).schema, null);
});

test("a name that another type has changes nothing, so that no type is lost", () => {
  const fleet = { ...barge, name: "Fleet", level: 1 };
  const holds = { ...owns, name: "HOLDS" };
  const types = withNodeType(withNodeType(emptySchema, null, barge), null, fleet);
  const schema = withEdgeType(withEdgeType(types, null, owns), null, holds);
  for (const name of ["Fleet", "fleet", " FLEET "]) {
    assert.equal(withNodeType(schema, "Barge", { ...barge, name }), schema);
    assert.equal(withNodeType(schema, null, { ...barge, name }), schema);
  }
  for (const name of ["HOLDS", "holds"]) {
    assert.equal(withEdgeType(schema, 0, { ...owns, name }), schema);
    assert.equal(withEdgeType(schema, null, { ...owns, name }), schema);
  }
  const longer = { ...barge, name: "barge", properties: ["length", "draught"] };
  assert.deepEqual(readDraft(withNodeType(schema, "Barge", longer)).nodeTypes[0], longer);
});

test("a text with two members of a name cannot be edited by the form, which would lose one", () => {
  const text =
    '{"ontology": {"hierarchy": [{"level": 0, "node_types": {"Barge": {"a": ":"}, "Barge": {}}}]}}';
  const { schema, fault } = parseSchema(text);
  assert.equal(schema, null);
  assert.match(fault ?? "", /“Barge” is in one object twice/);
  assert.equal(parseSchema(text.replace('"Barge": {}', '"Tug": {"Barge": {}}')).fault, null);
  assert.match(parseSchema(text.replace('"Barge": {}', '"B\\u0061rge": {}')).fault ?? "", /Barge/);
});

test("a text that is no JSON is told with its line; the layout of one is no change", () => {
  assert.equal(
    parseSchema('{\n  "ontology": {\n    nothing\n  }\n}').fault,
    "The text is not JSON: line 3 cannot be read.",
  );
  assert.equal(parseSchema('{"ontology": ').fault, "The text is not JSON yet: it ends too early.");
  const draft = { name: "Films", text: printSchema(emptySchema) };
  assert.ok(isSameDraft(draft, { name: "Films", text: JSON.stringify(emptySchema) }));
  assert.ok(!isSameDraft(draft, { ...draft, name: "Film" }));
  assert.ok(!isSameDraft(draft, { ...draft, text: '{"ontology": {}}' }));
  assert.ok(!isSameDraft({ name: "", text: "no" }, { name: "", text: "none" }));
});
