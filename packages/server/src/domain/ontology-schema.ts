/** Reads the types of an ontology from its JSON text, and checks whether it allows a fact. */
import { readEdgeTypes } from "./ontology/edges.ts";
import { createFaultList, type FaultList, memberPath } from "./ontology/faults.ts";
import { type Field, member, memberAt, requireObject } from "./ontology/fields.ts";
import { lowerTypes, readHierarchy } from "./ontology/hierarchy.ts";
import { findRepeatedTypes } from "./ontology/repeats.ts";
import { createDescribeUnknown } from "./ontology/spelling.ts";
import type { EdgeType, Fact, FactFit, NodeType, OntologySchema } from "./ontology/types.ts";

export type { EdgeExample, EdgeType, Fact, FactFit, NodeType, OntologySchema } from "./ontology/types.ts";

/**
 * The schema that extraction works with. Invalid parts are left out and listed in `faults` instead of
 * being refused, because an ontology may have been stored before its faults were checked. Never
 * throws; linear in the length of the text.
 */
export function parseOntology(schemaJson: string): OntologySchema {
  const { nodeTypes, edgeTypes, faults } = readOntology(schemaJson);
  return { nodeTypes, edgeTypes, faults: faults.texts() };
}

/** Whether an ontology allows a fact, else the first reason why not. Names are compared exactly. */
export function checkFact(schema: OntologySchema, fact: Fact): FactFit {
  const edge = schema.edgeTypes.find(({ name }) => name === fact.type);
  if (edge === undefined) return "unknown_edge_type";
  if (!hasNodeType(schema, fact.sourceType)) return "unknown_source_type";
  if (!hasNodeType(schema, fact.targetType)) return "unknown_target_type";
  if (!edge.sourceTypes.includes(fact.sourceType)) return "source_not_allowed";
  return edge.targetTypes.includes(fact.targetType) ? "fits" : "target_not_allowed";
}

/** Whether the ontology allows entities of this type. */
export function hasNodeType(schema: OntologySchema, type: string): boolean {
  return schema.nodeTypes.some(({ name }) => name === type);
}

/** The valid types, and all faults of the text. */
export function readOntology(schemaJson: string): {
  readonly nodeTypes: readonly NodeType[];
  readonly edgeTypes: readonly EdgeType[];
  readonly faults: FaultList;
} {
  const faults = createFaultList();
  const root: Field = { value: parseOrUndefined(schemaJson), path: "schema", faults };
  const ontology = member(root, "ontology");
  const isReadable =
    requireObject(root, "an object with the member ontology") &&
    requireObject(ontology, "an object with hierarchy and edge_types");
  if (!isReadable) return { nodeTypes: [], edgeTypes: [], faults };
  const { types, isComplete } = readHierarchy(memberAt(root, "ontology.hierarchy"));
  for (const { level, name } of findRepeatedTypes(schemaJson)) {
    const path = memberPath(`${ontology.path}.hierarchy[${level}].node_types`, name);
    faults.add("name", path, () => "is defined more than once, expected each node type once");
  }
  // When a type was left out, references to it would be reported as unknown, so these faults are dropped.
  const references = isComplete ? faults : createFaultList();
  const known = new Map(types.map((type) => [type.name, type]));
  const describeUnknown = createDescribeUnknown([...known.keys()]);
  const lookup = { known, references, describeUnknown };
  return {
    nodeTypes: types.map((type) => ({ ...type, aggregates: lowerTypes(type, lookup) })),
    edgeTypes: readEdgeTypes(memberAt(root, "ontology.edge_types"), lookup),
    faults,
  };
}

function parseOrUndefined(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
