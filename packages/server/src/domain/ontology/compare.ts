/** What changes from one ontology to another, and what that means for a graph. */
import type { RenamedType, TypeNames } from "../renamed-types.ts";
import { createFactCheck } from "./allowed-facts.ts";
import { type CorrectionFit, type CorrectionTypes, fitCorrections } from "./correction-fit.ts";
import { nameKey } from "./fields.ts";
import { readingNames } from "./read-names.ts";
import type { EdgeType, NodeType, OntologySchema } from "./types.ts";

/** renamed: texts are read under the same name, or the other name is an alias. */
export type Change = "kept" | "changed" | "renamed" | "dropped" | "added";

export interface TypeChange {
  readonly change: Change;
  /** null: added. */
  readonly name: string | null;
  /** The name in the other ontology; null: dropped. */
  readonly to: string | null;
  /** The members that differ, such as `description`. */
  readonly members: readonly string[];
}

export interface NodeTypeChange extends TypeChange {
  /** Number of entities in the graph. */
  readonly entities: number;
}

export interface EdgeTypeChange extends TypeChange {
  /** Numbers of relationships in the graph, and of those whose type and ends the other ontology allows. */
  readonly relationships: number;
  readonly fitting: number;
  /** The same of relationships that are only proposed. */
  readonly proposals: number;
  readonly fittingProposals: number;
}

export interface OntologyComparison {
  /** Texts are read alike under both: their types are the same, in the same order. */
  readonly isSame: boolean;
  readonly nodeTypes: readonly NodeTypeChange[];
  readonly edgeTypes: readonly EdgeTypeChange[];
  readonly corrections: readonly CorrectionFit[];
  /** Types of `before` that have another name, and those that corrections name. */
  readonly names: TypeNames;
}

interface CountedFact {
  readonly type: string;
  readonly sourceType: string;
  readonly targetType: string;
  readonly count: number;
}

/** The types of a graph with their counts. */
export interface TypesOfGraph {
  readonly entities: readonly { readonly type: string; readonly count: number }[];
  readonly relationships: readonly CountedFact[];
  /** Relationships that are not in it, but proposed. */
  readonly proposals: readonly CountedFact[];
  /** What people have corrected in it. */
  readonly corrections: readonly CorrectionTypes[];
}

export const NO_GRAPH: TypesOfGraph = { entities: [], relationships: [], proposals: [], corrections: [] };

/**
 * Types of `before` and of the graph first, in their order, then those that are added. Linear in the number of types, aliases, facts and corrections.
 */
export function compareOntologies(
  before: OntologySchema,
  after: OntologySchema,
  graph: TypesOfGraph,
): OntologyComparison {
  const ofNodes = changesOf(before.nodeTypes, after.nodeTypes, {
    inGraph: graph.entities.map(({ type }) => type),
    differ: nodeDifferences,
  });
  const ofEdges = changesOf(before.edgeTypes, after.edgeTypes, {
    inGraph: [...graph.relationships, ...graph.proposals].map(({ type }) => type),
    differ: edgeDifferences,
  });
  // Ends of proposals are of types that no entity may have.
  const find = createTypeFinder(before.nodeTypes, after.nodeTypes);
  const nodeNames = new Map(ofNodes.map(({ name, to }) => [name, to]));
  const nowOf = (type: string) => nodeNames.get(type) ?? find(type)?.name;
  const edges = Map.groupBy(graph.relationships, ({ type }) => type);
  const proposed = Map.groupBy(graph.proposals, ({ type }) => type);
  const { allows } = createFactCheck(after);
  const counts = new Map(graph.entities.map(({ type, count }) => [type, count]));
  const names = namesAfter(before, after, graph.corrections);
  return {
    isSame: JSON.stringify(before) === JSON.stringify(after),
    nodeTypes: ofNodes.map((each) => ({ ...each, entities: counts.get(each.name ?? "") ?? 0 })),
    edgeTypes: ofEdges.map((each) => {
      const fits = ({ sourceType, targetType }: CountedFact) => {
        const ends = { sourceType: nowOf(sourceType), targetType: nowOf(targetType) };
        const fact = { type: each.to, ...ends };
        return isWhole(fact) && allows(fact);
      };
      const [own, others] = [edges.get(each.name ?? "") ?? [], proposed.get(each.name ?? "") ?? []];
      return {
        ...{ ...each, relationships: sumOf(own), fitting: sumOf(own.filter(fits)) },
        ...{ proposals: sumOf(others), fittingProposals: sumOf(others.filter(fits)) },
      };
    }),
    corrections: fitCorrections(after, graph.corrections, names),
    names,
  };
}

function isWhole(fact: {
  readonly type: string | null;
  readonly sourceType: string | null | undefined;
  readonly targetType: string | null | undefined;
}): fact is { readonly type: string; readonly sourceType: string; readonly targetType: string } {
  return fact.type !== null && typeof fact.sourceType === "string" && typeof fact.targetType === "string";
}

function sumOf(counted: readonly { readonly count: number }[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0);
}

interface NamedType {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly readAs?: string;
}

function changesOf<Type extends NamedType>(
  before: readonly Type[],
  after: readonly Type[],
  {
    inGraph,
    differ,
  }: { readonly inGraph: readonly string[]; readonly differ: (one: Type, other: Type) => readonly string[] },
): readonly TypeChange[] {
  const old = new Map(before.map((type) => [type.name, type]));
  const find = createTypeFinder(before, after);
  const names = [...new Set([...old.keys(), ...inGraph])];
  const changes = names.map((name): TypeChange => {
    const [from, to] = [old.get(name), find(name)];
    if (to === undefined) return { change: "dropped", name, to: null, members: [] };
    const members = from === undefined ? [] : differ(from, to);
    const change = to.name !== name ? "renamed" : members.length > 0 ? "changed" : "kept";
    return { change, name, to: to.name, members };
  });
  const reached = new Set(changes.map(({ to }) => to));
  const added = after.filter(({ name }) => !reached.has(name));
  return [
    ...changes,
    ...added.map(({ name }): TypeChange => ({ change: "added", name: null, to: name, members: [] })),
  ];
}

/** Finds the type of `after` that has the name, or that a type of this name was renamed to. */
export function createTypeFinder<Type extends NamedType>(
  before: readonly Type[],
  after: readonly Type[],
): (name: string) => Type | undefined {
  const old = new Map(before.map((type) => [type.name, type]));
  const now = new Map(after.map((type) => [type.name, type]));
  const readBefore = readingNames(before);
  const readNow = readingNames(after);
  // Of two that are read alike the first, as texts are.
  const byReading = new Map(
    after.toReversed().map((type) => [nameKey(readNow.get(type.name) ?? type.name), type]),
  );
  const byAlias = new Map(
    after.flatMap((type) => type.aliases.map((alias) => [alias.toLowerCase(), type] as const)),
  );
  return (name) => {
    const read = nameKey(readBefore.get(name) ?? name);
    const known = now.get(name) ?? byReading.get(read) ?? byAlias.get(name.toLowerCase());
    if (known !== undefined) return known;
    const alias = old.get(name)?.aliases.find((each) => now.has(each) && !old.has(each));
    return alias === undefined ? undefined : now.get(alias);
  };
}

function namesAfter(
  before: OntologySchema,
  after: OntologySchema,
  corrections: readonly CorrectionTypes[],
): TypeNames {
  const nowOf = (renamed: readonly RenamedType[] = []) => renamed.map(({ now }) => now);
  const nodes = corrections.flatMap(({ entities, gives, renamed }) => [
    ...entities.flat(),
    ...(gives === undefined ? [] : [gives]),
    ...nowOf(renamed?.nodes),
  ]);
  const edges = corrections.flatMap(({ edgeType, renamed }) => [
    ...(edgeType === undefined ? [] : [edgeType]),
    ...nowOf(renamed?.edges),
  ]);
  return {
    nodes: namesOf(before.nodeTypes, after.nodeTypes, new Set(nodes)),
    edges: namesOf(before.edgeTypes, after.edgeTypes, new Set(edges)),
  };
}

/** A type that nobody has corrected before may be in a correction that is made before the move is. */
function namesOf<Type extends NamedType>(
  before: readonly Type[],
  after: readonly Type[],
  corrected: ReadonlySet<string>,
): TypeNames["nodes"] {
  const find = createTypeFinder(before, after);
  return [...new Set([...corrected, ...before.map(({ name }) => name)])].flatMap((name) => {
    const to = find(name)?.name;
    return to === undefined || (to === name && !corrected.has(name)) ? [] : [[name, to] as const];
  });
}

function nodeDifferences(one: NodeType, other: NodeType): readonly string[] {
  return differencesOf(one, other, [
    "level",
    "description",
    "properties",
    "aggregates",
    "examples",
    "aliases",
  ]);
}

/** By the names that the wire gives them. */
const EDGE_MEMBERS = {
  sourceTypes: "source_types",
  targetTypes: "target_types",
  properties: "properties",
  temporal: "temporal",
  functional: "functional",
  description: "description",
  examples: "examples",
  aliases: "aliases",
} as const satisfies Partial<Record<keyof EdgeType, string>>;

function edgeDifferences(one: EdgeType, other: EdgeType): readonly string[] {
  const members = Object.keys(EDGE_MEMBERS) as (keyof typeof EDGE_MEMBERS)[]; // The keys of a constant.
  return differencesOf(one, other, members).map((member) => EDGE_MEMBERS[member]);
}

function differencesOf<Type, Member extends keyof Type>(
  one: Type,
  other: Type,
  members: readonly Member[],
): readonly Member[] {
  return members.filter((member) => JSON.stringify(one[member]) !== JSON.stringify(other[member]));
}
