/** The loaded part of a project's graph, as nodes and edges to draw. */
import type { Association, Entity, EntityDetail, EvidencedRelationship } from "@kcs/sdk";
import { MultiDirectedGraph } from "graphology";

export interface NodeAttributes {
  label: string;
  type: string;
  kind: string;
  x: number;
  y: number;
  size: number;
}

export interface EdgeAttributes {
  label: string;
  /** Type of the relationship; null for an association. */
  kind: string | null;
  type: string;
  size: number;
}

export type KnowledgeGraph = MultiDirectedGraph<NodeAttributes, EdgeAttributes>;

type Relationship = Omit<EvidencedRelationship, "evidence">;

/** Further nodes are neither loaded nor drawn. */
export const maxNodes = 10_000;

export function createKnowledgeGraph(): KnowledgeGraph {
  return new MultiDirectedGraph<NodeAttributes, EdgeAttributes>();
}

export function addEntities(
  graph: KnowledgeGraph,
  entities: readonly Pick<Entity, "entity_id" | "name" | "type">[],
) {
  for (const entity of entities) addNode(graph, entity);
}

/** Also adds both ends of each relationship. */
export function addRelationships(graph: KnowledgeGraph, relationships: readonly Relationship[]): void {
  for (const { relationship_id: id, type, source, target, chunks } of relationships) {
    if (graph.hasEdge(id) || !addNode(graph, source) || !addNode(graph, target)) continue;
    const size = 1 + Math.min(3, Math.log2(chunks));
    graph.addDirectedEdgeWithKey(id, source.entity_id, target.entity_id, {
      label: type,
      kind: type,
      type: "arrow",
      size,
    });
  }
  resize(graph);
}

/** Adds the entity, those that it is associated with, and a thin line to each. */
export function addAssociations(
  graph: KnowledgeGraph,
  entity: Pick<Entity, "entity_id" | "name" | "type">,
  associations: readonly Pick<Association, "entity">[],
): void {
  if (!addNode(graph, entity)) return;
  for (const { entity: other } of associations) {
    // Two entities can list each other.
    const id = `associated ${[entity.entity_id, other.entity_id].sort().join(" ")}`;
    if (graph.hasEdge(id) || !addNode(graph, other)) continue;
    graph.addDirectedEdgeWithKey(id, entity.entity_id, other.entity_id, {
      label: "",
      kind: null,
      type: "line",
      size: 1,
    });
  }
  resize(graph);
}

/** Removes all associations, and the entities that are drawn for them alone. */
export function removeAssociations(graph: KnowledgeGraph): void {
  const ends = new Set<string>();
  graph.forEachEdge((edge, { kind }, source, target) => {
    if (kind !== null) return;
    ends.add(source).add(target);
    graph.dropEdge(edge);
  });
  for (const node of ends) if (graph.degree(node) === 0) graph.dropNode(node);
  resize(graph);
}

export function countAssociations(graph: KnowledgeGraph): number {
  return graph.filterEdges((_edge, { kind }) => kind === null).length;
}

function resize(graph: KnowledgeGraph): void {
  graph.updateEachNodeAttributes((node, attributes) => ({ ...attributes, size: sizeOf(graph.degree(node)) }));
}

export function addNeighbourhood(graph: KnowledgeGraph, detail: EntityDetail): void {
  addNode(graph, detail);
  addRelationships(graph, detail.relationships);
}

/** False when the graph has reached `maxNodes`. */
function addNode(graph: KnowledgeGraph, entity: Pick<Entity, "entity_id" | "name" | "type">): boolean {
  if (graph.hasNode(entity.entity_id)) return true;
  if (graph.order >= maxNodes) return false;
  const position = initialPosition(graph.order);
  graph.addNode(entity.entity_id, {
    label: entity.name,
    type: "circle",
    kind: entity.type,
    size: 4,
    ...position,
  });
  return true;
}

function sizeOf(degree: number): number {
  return 4 + Math.min(14, 2 * Math.sqrt(degree));
}

/** On a sunflower spiral, so that no two nodes share a position and the result is deterministic. */
function initialPosition(order: number): { readonly x: number; readonly y: number } {
  const angle = order * Math.PI * (3 - Math.sqrt(5));
  const radius = 10 * Math.sqrt(order);
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

/** Types with their counts, the most frequent first. */
export function countKinds(
  kinds: Iterable<string>,
): readonly { readonly kind: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => ({ kind, count }))
    .sort((one, other) => other.count - one.count || (one.kind < other.kind ? -1 : 1));
}
