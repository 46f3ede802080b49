/**
 * An ontology as statements: classes and properties of OWL with labels of SKOS, and SHACL shapes that say which properties and
 * relationships each class has.
 */
import { DataFactory, type Quad } from "n3";
import type { EdgeType, NodeType, OntologySchema } from "../../domain/ontology/types.ts";
import { exampleMember } from "../../domain/ontology/write-schema.ts";
import { fileTooLarge, MAX_FILE_BYTES } from "./file-text.ts";
import { createPairs } from "./pairs.ts";
import { EDGE_BASE, iri, ONTOLOGY_IRI, PROPERTY_BASE, TYPE_BASE } from "./vocabulary.ts";

const { namedNode, literal, blankNode, quad } = DataFactory;
type Subject = ReturnType<typeof namedNode> | ReturnType<typeof blankNode>;
type Value = Subject | ReturnType<typeof literal>;

/** A predicate by its name, with its value. */
type Statement = readonly [name: Parameters<typeof iri>[0], value: Value];

export function quadsOf({
  name,
  schema,
}: {
  readonly name: string;
  readonly schema: OntologySchema;
}): readonly Quad[] {
  const writer = createStatements();
  const { state } = writer;
  state(namedNode(ONTOLOGY_IRI), [type("owl:Ontology"), ["rdfs:label", literal(name)]]);
  for (const node of schema.nodeTypes) state(typeNode(node.name), classOf(node));
  for (const node of schema.nodeTypes) {
    for (const property of node.properties) {
      const domain: Statement = ["rdfs:domain", typeNode(node.name)];
      state(propertyNode(node.name, property), [
        ...[type("owl:DatatypeProperty"), ["rdfs:label", literal(property)] as Statement],
        ...[domain, ["rdfs:range", namedNode(iri("xsd:string"))] as Statement],
      ]);
    }
  }
  for (const edge of schema.edgeTypes) {
    state(edgeNode(edge.name), [
      ...propertyOf(edge),
      ["rdfs:domain", writer.union(edge.sourceTypes)],
      ["rdfs:range", writer.union(edge.targetTypes)],
    ]);
  }
  const edgesFrom = createPairs(schema.edgeTypes);
  for (const node of schema.nodeTypes) writeShape(writer, node, edgesFrom.get(node.name) ?? []);
  return writer.quads;
}

function classOf(node: NodeType): readonly Statement[] {
  return [
    type("owl:Class"),
    ...sharedOf(node),
    ["kcs:level", literal(String(node.level), namedNode(iri("xsd:integer")))],
    ...node.aggregates.map((name): Statement => ["kcs:aggregates", typeNode(name)]),
    ...node.examples.map((example): Statement => ["skos:example", literal(example)]),
  ];
}

function propertyOf(edge: EdgeType): readonly Statement[] {
  return [
    type("owl:ObjectProperty"),
    ...(edge.functional ? [type("owl:FunctionalProperty")] : []),
    ...sharedOf(edge),
    ...(edge.temporal ? [["kcs:temporal", literal("true", namedNode(iri("xsd:boolean")))] as Statement] : []),
    ...edge.properties.map((name): Statement => ["kcs:property", literal(name)]),
    ...edge.examples.map(
      (example): Statement => ["kcs:example", literal(JSON.stringify(exampleMember(example)))],
    ),
  ];
}

function sharedOf({ name, description, aliases, readAs }: NodeType | EdgeType): readonly Statement[] {
  return [
    ["rdfs:label", literal(name)],
    ...(description === "" ? [] : [["rdfs:comment", literal(description)] as Statement]),
    ...aliases.map((alias): Statement => ["skos:altLabel", literal(alias)]),
    ...(readAs === undefined ? [] : [["kcs:readAs", literal(readAs)] as Statement]),
  ];
}

function writeShape(writer: Statements, node: NodeType, edges: readonly EdgeType[]): void {
  const shape = namedNode(`${typeNode(node.name).value}:shape`);
  const properties = node.properties.map((property): readonly Statement[] => [
    ["sh:path", propertyNode(node.name, property)],
    ["sh:datatype", namedNode(iri("xsd:string"))],
  ]);
  const relationships = edges.map(({ name, targetTypes }): readonly Statement[] => {
    const [only, ...others] = targetTypes.map((target): Statement => ["sh:class", typeNode(target)]);
    const path: Statement = ["sh:path", edgeNode(name)];
    if (only === undefined || others.length === 0) return only === undefined ? [path] : [path, only];
    return [path, ["sh:or", writer.list([only, ...others].map((each) => writer.made([each])))]];
  });
  writer.state(shape, [
    type("sh:NodeShape"),
    ["sh:targetClass", typeNode(node.name)],
    ...[...properties, ...relationships].map((each): Statement => ["sh:property", writer.made(each)]),
  ]);
}

/** More cannot be read again; see `rdf-parse.ts`. */
const MAX_QUADS = 500_000;

type Statements = ReturnType<typeof createStatements>;

function createStatements() {
  const quads: Quad[] = [];
  let blanks = 0;
  const next = () => blankNode(`b${blanks++}`);
  let characters = 0;
  const state = (subject: Subject, statements: readonly Statement[]) => {
    // Their file has at least the subject once, and each value.
    characters += subject.value.length;
    for (const [name, value] of statements) {
      characters += value.value.length;
      if (quads.length >= MAX_QUADS || characters > MAX_FILE_BYTES) throw fileTooLarge();
      quads.push(quad(subject, namedNode(iri(name)), value));
    }
  };
  const made = (statements: readonly Statement[]) => {
    const node = next();
    state(node, statements);
    return node;
  };
  const list = (items: readonly Subject[]): Subject =>
    items.reduceRight<Subject>(
      (rest, item) =>
        made([
          ["rdf:first", item],
          ["rdf:rest", rest],
        ]),
      namedNode(iri("rdf:nil")),
    );
  const union = (names: readonly string[]): Subject => {
    const [only, ...others] = names;
    if (only !== undefined && others.length === 0) return typeNode(only);
    return made([type("owl:Class"), ["owl:unionOf", list(names.map(typeNode))]]);
  };
  return { quads, state, made, list, union };
}

function type(name: Parameters<typeof iri>[0]): Statement {
  return ["rdf:type", namedNode(iri(name))];
}

function typeNode(name: string) {
  return namedNode(TYPE_BASE + encodeURIComponent(name));
}

function edgeNode(name: string) {
  return namedNode(EDGE_BASE + encodeURIComponent(name));
}

function propertyNode(owner: string, name: string) {
  return namedNode(`${PROPERTY_BASE}${encodeURIComponent(owner)}:${encodeURIComponent(name)}`);
}
