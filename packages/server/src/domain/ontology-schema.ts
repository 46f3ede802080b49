/** The types that an ontology allows, read out of its JSON text, and the check that a fact stays within them. */
import { readEdgeTypes } from "./ontology/edges.ts";
import { createFaultList, type FaultList, placeOf } from "./ontology/faults.ts";
import { type Field, member, memberAt, requireObject } from "./ontology/fields.ts";
import { lowerTypes, readHierarchy } from "./ontology/hierarchy.ts";
import { findRepeatedTypes } from "./ontology/repeats.ts";
import type { EdgeType, Fact, FactFit, NodeType, OntologySchema } from "./ontology/types.ts";

export type { EdgeExample, EdgeType, Fact, FactFit, NodeType, OntologySchema } from "./ontology/types.ts";

/**
 * What extraction works with. Lenient: whatever does not hold is left out and told in `faults`, since an ontology may have been
 * stored before its faults were checked. Never throws; linear in the length of the text.
 */
export function parseOntology(schemaJson: string): OntologySchema {
  const { nodeTypes, edgeTypes, faults } = readOntology(schemaJson);
  return { nodeTypes, edgeTypes, faults: faults.texts() };
}

/** Whether an ontology allows a fact; names are compared exactly. The first of the reasons that holds. */
export function checkFact(schema: OntologySchema, fact: Fact): FactFit {
  const edge = schema.edgeTypes.find(({ name }) => name === fact.type);
  if (edge === undefined) return "unknown_edge_type";
  if (!hasNodeType(schema, fact.sourceType)) return "unknown_source_type";
  if (!hasNodeType(schema, fact.targetType)) return "unknown_target_type";
  if (!edge.sourceTypes.includes(fact.sourceType)) return "source_not_allowed";
  return edge.targetTypes.includes(fact.targetType) ? "fits" : "target_not_allowed";
}

/** Whether an entity of this type may be in the graph at all. */
export function hasNodeType(schema: OntologySchema, type: string): boolean {
  return schema.nodeTypes.some(({ name }) => name === type);
}

/** The types that hold, and every fault of the text. */
export function readOntology(schemaJson: string): {
  readonly nodeTypes: readonly NodeType[];
  readonly edgeTypes: readonly EdgeType[];
  readonly faults: FaultList;
} {
  const faults = createFaultList();
  const root: Field = { value: parsed(schemaJson), place: "schema", faults };
  const ontology = member(root, "ontology");
  const isReadable =
    requireObject(root, "an object with the member ontology") &&
    requireObject(ontology, "an object with hierarchy and edge_types");
  if (!isReadable) return { nodeTypes: [], edgeTypes: [], faults };
  const { types, isWhole } = readHierarchy(memberAt(root, "ontology.hierarchy"));
  for (const { level, name } of findRepeatedTypes(schemaJson)) {
    const place = placeOf(`${ontology.place}.hierarchy[${level}].node_types`, name);
    faults.add("name", place, () => "stands there more than once, expected each node type once");
  }
  // What a type left out above was referred to by would look unknown.
  const references = isWhole ? faults : createFaultList();
  const known = new Map(types.map((type) => [type.name, type]));
  return {
    nodeTypes: types.map((type) => ({ ...type, aggregates: lowerTypes(type, { known, references }) })),
    edgeTypes: readEdgeTypes(memberAt(root, "ontology.edge_types"), { known, references }),
    faults,
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
