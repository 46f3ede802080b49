/** The schema of a project whose types come from its data: a function of the graph, so it grows and shrinks with it. */
import type { EdgeType, NodeType } from "../../domain/ontology-schema.ts";
import type { GraphTypes } from "../../ports/graph-store.ts";

export interface GrownSchema {
  readonly nodeTypes: readonly NodeType[];
  readonly edgeTypes: readonly EdgeType[];
}

/** A verb that joins one pair only may be a turn of phrase. A type with several wordings (`isKind`) is already general enough. */
const MIN_RELATIONSHIPS = 2;
const MAX_EDGE_TYPES = 100;

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Person: "People, real or fictional.",
  Organization: "Companies, institutions, teams, bands and other groups that act as one.",
  Location: "Countries, regions, places, buildings and natural features.",
  Event: "Things that happen at a time: wars, contests, conferences, disasters.",
  Work: "Creative works: books, films, songs, paintings, articles.",
  Product: "Things that are made and used: devices, vehicles, software, materials.",
  Group: "Nationalities, peoples, religions and languages.",
  Term: "Named concepts of a field.",
  Thing: "Names of which nothing more is known.",
  File: "Files and folders.",
  Option: "Options of commands, and settings.",
  Code: "Names in source code.",
  Chemical: "Substances by their formula.",
};

/**
 * Node types are the types of entities, on one level. Edge types are those of at least two relationships, or of one where
 * `isKind` returns true; the 100 most frequent, with the node types at their ends. Both are sorted by the code units of their
 * names, so that a type keeps its place while others are added.
 */
export function growSchema(
  { entities, relationships }: GraphTypes,
  isKind: (edgeType: string) => boolean,
): GrownSchema {
  const nodeTypes = entities
    .filter(({ count }) => count > 0)
    .map(({ type }) => type)
    .sort(byCodeUnit);
  const counts = new Map<string, { count: number; sources: Set<string>; targets: Set<string> }>();
  for (const { type, sourceType, targetType, count } of relationships) {
    const known = counts.get(type) ?? { count: 0, sources: new Set(), targets: new Set() };
    known.count += count;
    known.sources.add(sourceType);
    known.targets.add(targetType);
    counts.set(type, known);
  }
  const recurring = [...counts]
    .filter(([type, { count }]) => count >= MIN_RELATIONSHIPS || (count > 0 && isKind(type)))
    .sort(([one, a], [other, b]) => b.count - a.count || byCodeUnit(one, other))
    .slice(0, MAX_EDGE_TYPES)
    .sort(([one], [other]) => byCodeUnit(one, other));
  // A relationship of a name without a type counts as such, even where the entity has a type by another text.
  const endsOf = (types: ReadonlySet<string>) => {
    const known = nodeTypes.filter((type) => types.has(type));
    return known.length === 0 ? nodeTypes : known;
  };
  return {
    nodeTypes: nodeTypes.map(nodeTypeOf),
    edgeTypes: recurring.map(([name, { sources, targets }]) => ({
      name,
      sourceTypes: endsOf(sources),
      targetTypes: endsOf(targets),
      properties: [],
      temporal: false,
      functional: false,
      description: `As in: a source ${name.toLowerCase().replaceAll("_", " ")} a target.`,
      examples: [],
      aliases: [],
    })),
  };
}

/** Names of the edge types of {@link growSchema}. */
export function grownEdgeTypes(
  types: GraphTypes,
  isKind: (edgeType: string) => boolean,
): ReadonlySet<string> {
  return new Set(growSchema(types, isKind).edgeTypes.map(({ name }) => name));
}

function nodeTypeOf(name: string): NodeType {
  const description = DESCRIPTIONS[name] ?? "";
  return { name, level: 0, description, properties: [], aggregates: [], examples: [], aliases: [] };
}

function byCodeUnit(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
