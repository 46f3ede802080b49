import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseOntology } from "../../domain/ontology-schema.ts";
import { ONTOLOGY_FORMATS } from "../../ports/ontology-files.ts";
import { ontologyFiles } from "./ontology-files.ts";

/** No control characters: XML has none. */
const plain = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((each) => {
  return /[\p{L}\p{N}]/u.test(each) && !/[\p{Cc}\ufffe\uffff]/u.test(each) && each.isWellFormed();
});
/** What YAML or JavaScript could take for something else. Objects have numbers before other names, and RDF no alias that is the name. */
const words = [
  "yes",
  "Null",
  "true",
  "1984",
  "0x1",
  "~a",
  "a: b",
  "- a",
  "a #b",
  "<<",
  "__proto__",
  "string",
];
const keyOf = (name: string) =>
  name
    .normalize("NFKC")
    .replace(/[\s\p{Cf}]/gu, "")
    .toLowerCase();
const namesOf = (text: fc.Arbitrary<string>) => (min: number, max: number) =>
  fc.uniqueArray(text, { minLength: min, maxLength: max, selector: keyOf });

/** Any ontology that passes the checks. */
const ontologyOf = (text: fc.Arbitrary<string>, names = namesOf(text)) =>
  fc.record({ nodes: names(1, 6), edges: names(0, 4) }).chain(({ nodes, edges }) => {
    const some = fc.shuffledSubarray(nodes, { minLength: 1 });
    const shared = {
      properties: names(0, 3),
      aliases: names(0, 3),
      description: fc.oneof(fc.constant(""), text),
      read_as: fc.option(text),
    };
    const example = fc.oneof(
      text,
      fc.record({ source: text, target: text }),
      fc.record({ source: text, target: text, text }),
    );
    const node_types = fc.tuple(...nodes.map(() => fc.record({ ...shared, examples: names(0, 2) })));
    const edge_types = fc.tuple(
      ...edges.map((name) =>
        fc.record({
          name: fc.constant(name),
          ...{ source_types: some, target_types: some, temporal: fc.boolean(), ...shared },
          functional: fc.boolean(),
          examples: fc.array(example, { maxLength: 2 }),
        }),
      ),
    );
    return fc.record({ node_types, edge_types, isLayered: fc.boolean() }).map((made) => {
      const members = made.node_types.map((type, at) => [nodes[at] ?? "", type] as const);
      const upper = made.isLayered
        ? members.slice(1, 2).map(([name, type]) => [name, { ...type, aggregates: nodes.slice(0, 1) }])
        : [];
      const lower = made.isLayered ? members.filter((_, at) => at !== 1) : members;
      const hierarchy = [
        { level: 0, node_types: Object.fromEntries(lower) },
        ...(upper.length === 0 ? [] : [{ level: 2, node_types: Object.fromEntries(upper) }]),
      ];
      return JSON.stringify({ ontology: { hierarchy, edge_types: made.edge_types } });
    });
  });

for (const format of ONTOLOGY_FORMATS) {
  const text =
    format === "linkml" ? fc.oneof(plain, fc.constantFrom(...words, "a\n \u0085\u2028b\u0001")) : plain;
  test(`an ontology that is written as ${format} and read again is the same`, async () => {
    await fc.assert(
      fc.asyncProperty(ontologyOf(text), text, async (schemaJson, name) => {
        const schema = parseOntology(schemaJson);
        fc.pre(schema.faults.length === 0);
        const read = ontologyFiles.read(
          format,
          Buffer.from(ontologyFiles.write(format, { name, schema })).toString(),
        );
        assert.equal(read.name, name);
        assert.deepEqual(read.leftOut, []);
        const again = parseOntology(read.schemaJson);
        assert.deepEqual(again, schema);
      }),
      { numRuns: 60 },
    );
  });
}

const typesOf = (schemaJson: string) => {
  const { nodeTypes, edgeTypes } = parseOntology(schemaJson);
  return {
    nodes: nodeTypes.map(({ name, properties }) => [name, ...properties].join(" ")),
    edges: edgeTypes.map(({ name, sourceTypes, targetTypes }) => `${sourceTypes} ${name} ${targetTypes}`),
  };
};

test("classes and properties of OWL become types, and what has no place is told", async () => {
  const file = `@prefix : <http://ships.example/onto#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    <http://ships.example/onto> a owl:Ontology ; rdfs:label "Ships" .
    :Ship a owl:Class ; rdfs:label "vessel" ; rdfs:comment "It floats" .
    :Tanker a owl:Class ; rdfs:subClassOf :Ship .
    :C_0001 a owl:Class ; rdfs:label "Harbour" .
    :tonnage a owl:DatatypeProperty ; rdfs:domain :Ship ; rdfs:range xsd:integer .
    :near a owl:ObjectProperty ; rdfs:domain :Tanker .
    :berthedAt a owl:ObjectProperty ; rdfs:domain [ owl:unionOf (:Ship :Tanker) ] ; rdfs:range :C_0001 .`;
  const read = ontologyFiles.read("turtle", file);
  assert.equal(read.name, "Ships");
  assert.deepEqual(typesOf(read.schemaJson), {
    nodes: ["Ship tonnage", "Tanker", "Harbour"],
    edges: ["Tanker near Ship,Tanker,Harbour", "Ship,Tanker berthedAt Harbour"],
  });
  assert.deepEqual(parseOntology(read.schemaJson).nodeTypes[0]?.aliases, ["vessel"]);
  assert.deepEqual(
    read.leftOut.map(({ item, reason }) => `${item} ${reason.replace(/\S+[#/]/g, "")}`),
    ["Tanker has subClassOf, for which there is no place", "near names no target types; all are allowed now"],
  );
});

test("a functional property between classes is one at a time, in Turtle and in RDF/XML; others are told", () => {
  const turtle = `@prefix : <http://ships.example/onto#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . :Ship a owl:Class . :Quay a owl:Class .
    :berth a owl:ObjectProperty , owl:FunctionalProperty , owl:AsymmetricProperty ; rdfs:domain :Ship ; rdfs:range :Quay .
    :flag a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:domain :Ship .`;
  const xml = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"
    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xml:base="http://ships.example/onto"><owl:Class rdf:about="#Ship"/>
    <owl:Class rdf:about="#Quay"/><owl:ObjectProperty rdf:about="#berth"><rdfs:domain rdf:resource="#Ship"/>
    <rdf:type rdf:resource="http://www.w3.org/2002/07/owl#FunctionalProperty"/><rdfs:range rdf:resource="#Quay"/>
    </owl:ObjectProperty></rdf:RDF>`;
  for (const [format, file, left] of [
    ["turtle", turtle, ["berth is a AsymmetricProperty", "flag is a FunctionalProperty"]],
    ["rdfxml", xml, []],
  ] as const) {
    const read = ontologyFiles.read(format, file);
    assert.deepEqual(
      parseOntology(read.schemaJson).edgeTypes.map(({ name, functional }) => [name, functional]),
      [["berth", true]],
    );
    const told = read.leftOut.map(
      ({ item, reason }) => `${item} ${reason.replace(/\S+[#/]/g, "")}`.split(",")[0],
    );
    assert.deepEqual(told, left);
  }
});

test("shapes of SHACL become pairs and properties, concepts of SKOS node types", async () => {
  const file = `@prefix : <http://ships.example/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
    @prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    :ShipShape a sh:NodeShape ; sh:targetClass :Ship ;
      sh:property [ sh:path :flag ; sh:datatype xsd:string ; sh:maxCount 1 ] , [ sh:path :berth ; sh:class :Quay ] .
    :Pilot a skos:Concept ; skos:prefLabel "Pilot" ; skos:altLabel "harbour pilot" ; skos:definition "Guides ships" .
    :Quay a skos:Concept .`;
  const read = ontologyFiles.read("turtle", file);
  assert.deepEqual(typesOf(read.schemaJson), {
    nodes: ["Pilot", "Quay", "Ship flag"],
    edges: ["Ship berth Quay"],
  });
  assert.ok(read.leftOut.some(({ reason }) => reason.includes("maxCount")));
});

test("definitions of JSON Schema become node types, references edge types", async () => {
  const file = {
    title: "Ships",
    $defs: {
      Ship: {
        type: "object",
        properties: { flag: { type: "string", enum: ["DK"] }, berthedAt: { $ref: "#/$defs/Quay" } },
      },
      Quay: { type: "object" },
      Colour: { type: "string" },
    },
  };
  const read = ontologyFiles.read("json-schema", JSON.stringify(file));
  assert.deepEqual(typesOf(read.schemaJson), {
    nodes: ["Ship flag", "Quay"],
    edges: ["Ship BERTHED_AT Quay"],
  });
  assert.deepEqual(
    read.leftOut.map(({ item, reason }) => `${item} ${reason}`),
    ["Colour is no object, so it is no node type", "Ship.flag has enum, for which there is no place"],
  );
});

test("the result of apoc.meta.schema becomes an ontology", async () => {
  const file = {
    Ship: {
      type: "node",
      properties: { flag: { type: "STRING" }, tonnage: { type: "INTEGER" } },
      relationships: { BERTHED_AT: { direction: "out", labels: ["Quay"], properties: { since: {} } } },
    },
    Quay: { type: "node", relationships: { BERTHED_AT: { direction: "in", labels: ["Ship"] } } },
    BERTHED_AT: { type: "relationship" },
  };
  const read = ontologyFiles.read("neo4j", JSON.stringify(file));
  assert.deepEqual(typesOf(read.schemaJson), {
    nodes: ["Ship flag tonnage", "Quay"],
    edges: ["Ship BERTHED_AT Quay"],
  });
  assert.deepEqual(read.leftOut, [{ item: "Ship.tonnage", reason: "has the type INTEGER" }]);
});

test("files that are broken, or have entities or endless lists, are refused with the reason", async () => {
  const refused = (format: (typeof ONTOLOGY_FORMATS)[number], content: string, message: RegExp) =>
    assert.throws(() => ontologyFiles.read(format, content), { name: "OntologyFileError", message });
  refused("turtle", "<a> <b> .", /line 1/);
  refused("rdfxml", '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', /entities/);
  refused("rdfxml", "<rdf:RDF", /./);
  refused("rdfxml", "<a:A><a:b>".repeat(60), /more than 100 elements in each other/);
  refused("rdfxml", "<a".repeat(50_000), /./);
  refused("json-schema", "{", /is not JSON/);
  refused("neo4j", "[]", /is not a JSON object/);
  const loop = `@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
    <p> a owl:ObjectProperty ; <http://www.w3.org/2000/01/rdf-schema#domain> [ owl:unionOf <l> ] . <l> rdf:first <c> ; rdf:rest <l> .`;
  refused("turtle", loop, /same lists or statements too often/);
});
