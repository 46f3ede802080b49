/** Writes types as the JSON text of a schema. */
import type { EdgeExample, EdgeType, NodeType } from "./types.ts";

type Optional = "examples" | "aliases";
type OptionalOfEdge = Optional | "functional";
export type WrittenNodeType = Omit<NodeType, Optional> & Partial<Pick<NodeType, Optional>>;
export type WrittenEdgeType = Omit<EdgeType, OptionalOfEdge> & Partial<Pick<EdgeType, OptionalOfEdge>>;

/** Levels in ascending order, types and edge types in the given order. The types are not checked. */
export function writeSchema(types: {
  readonly nodeTypes: readonly WrittenNodeType[];
  readonly edgeTypes: readonly WrittenEdgeType[];
}): string {
  const levels = [...Map.groupBy(types.nodeTypes, ({ level }) => level)];
  const hierarchy = levels
    .sort(([one], [other]) => one - other)
    .map(([level, nodeTypes]) => ({
      level,
      node_types: Object.fromEntries(nodeTypes.map((type) => [type.name, memberOf(type)])),
    }));
  const edges = types.edgeTypes.map((edge) => ({
    name: edge.name,
    source_types: edge.sourceTypes,
    target_types: edge.targetTypes,
    properties: edge.properties,
    temporal: edge.temporal,
    ...(edge.functional === true ? { functional: true } : {}),
    description: edge.description,
    ...some("examples", edge.examples?.map(exampleMember)),
    ...some("aliases", edge.aliases),
    ...earlierName(edge),
  }));
  return JSON.stringify({ ontology: { hierarchy, edge_types: edges } });
}

function memberOf(type: WrittenNodeType) {
  const { properties, description, aggregates, examples, aliases } = type;
  const lists = {
    ...some("aggregates", aggregates),
    ...some("examples", examples),
    ...some("aliases", aliases),
  };
  return { properties, description, ...lists, ...earlierName(type) };
}

function earlierName({ readAs }: { readonly readAs?: string }) {
  return readAs === undefined ? {} : { read_as: readAs };
}

function some(name: string, items: readonly unknown[] = []) {
  return items.length === 0 ? {} : { [name]: items };
}

/** An example as the schema has it. */
export function exampleMember({ source, target, text }: EdgeExample): unknown {
  if (source === null || target === null) return text ?? "";
  return { source, target, ...(text === null ? {} : { text }) };
}
