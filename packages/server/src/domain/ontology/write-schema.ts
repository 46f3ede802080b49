/** Writes types as the JSON text of a schema. */
import type { EdgeType, NodeType } from "./types.ts";

export type WrittenNodeType = Pick<NodeType, "name" | "level" | "description" | "properties" | "aggregates">;
export type WrittenEdgeType = Omit<EdgeType, "examples" | "aliases">;

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
    description: edge.description,
  }));
  return JSON.stringify({ ontology: { hierarchy, edge_types: edges } });
}

function memberOf({ properties, description, aggregates }: WrittenNodeType) {
  return { properties, description, ...(aggregates.length === 0 ? {} : { aggregates }) };
}
