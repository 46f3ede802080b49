/**
 * Descriptions that the service drafted from the relationships of a type ("A keeper: feeds an animal; has name."), kept in step with them
 * while the draft is edited. They are worded as the service words them; a description that anybody has written is never changed.
 */
import { type Json, listOf, objectOf } from "./json-value.ts";
import {
  type EdgeTypeDraft,
  type NodeTypeDraft,
  namesIn,
  readDraft,
  type SchemaDraft,
} from "./schema-draft.ts";

const mostClauses = 3;

/** `after`: `before` with one type edited. What it says of the others is as it was drafted or written before. */
export function withDraftedDescriptions(before: Json, after: Json): Json {
  const [old, next] = [asRead(readDraft(before)), asRead(readDraft(after))];
  const names = namesIn(readDraft(after).nodeTypes);
  const ofNodes = next.nodeTypes.flatMap((type, at): readonly (readonly [string, string])[] => {
    const known = counterpart(old.nodeTypes, next.nodeTypes, type);
    const isDrafted =
      known?.description === type.description && known.description === describeType(known, old);
    return isDrafted ? [[names[at] ?? "", describeType(type, next)]] : [];
  });
  const ofEdges = next.edgeTypes.map((edge) => {
    const known = counterpart(old.edgeTypes, next.edgeTypes, edge);
    const isDrafted = known?.description === edge.description && known.description === describeEdge(known);
    return isDrafted ? describeEdge(edge) : null;
  });
  return withDescriptions(after, { nodes: new Map(ofNodes), edges: ofEdges });
}

/** Types by the names under which texts are read: what texts are read by does not change where one is renamed. */
function asRead({ nodeTypes, edgeTypes }: SchemaDraft): SchemaDraft {
  const names = new Map(nodeTypes.map(({ name, readAs = name }) => [name, readAs]));
  const renamed = (types: readonly string[]) => types.map((name) => names.get(name) ?? name);
  return {
    nodeTypes: nodeTypes.map(({ readAs, ...type }) => ({
      ...type,
      ...{ name: readAs ?? type.name, aggregates: renamed(type.aggregates) },
    })),
    edgeTypes: edgeTypes.map(({ readAs, ...edge }) => ({
      ...edge,
      ...{ name: readAs ?? edge.name, sources: renamed(edge.sources), targets: renamed(edge.targets) },
    })),
  };
}

/** In place: types keep their order. */
function withDescriptions(
  schema: Json,
  {
    nodes,
    edges,
  }: { readonly nodes: ReadonlyMap<string, string>; readonly edges: readonly (string | null)[] },
): Json {
  const ontology = objectOf(schema["ontology"]);
  const hierarchy = listOf(ontology["hierarchy"]).map((level) => {
    const types = Object.entries(objectOf(objectOf(level)["node_types"])).map(([name, type]) => {
      const description = nodes.get(name);
      return [name, description === undefined ? type : { ...objectOf(type), description }];
    });
    return { ...objectOf(level), node_types: Object.fromEntries(types) };
  });
  const edgeTypes = listOf(ontology["edge_types"]).map((edge, at) => {
    const description = edges[at] ?? null;
    return description === null ? edge : { ...objectOf(edge), description };
  });
  return { ...schema, ontology: { ...ontology, hierarchy, edge_types: edgeTypes } };
}

/** What a type was before: the one of its name, or where it was renamed the only one that is gone. */
function counterpart<Type extends { readonly name: string }>(
  old: readonly Type[],
  next: readonly Type[],
  { name }: Type,
): Type | undefined {
  const same = old.find((each) => each.name === name);
  if (same !== undefined || old.length !== next.length) return same;
  const left = new Set(namesIn(next));
  const gone = old.filter((each) => !left.has(each.name));
  return gone.length === 1 ? gone[0] : undefined;
}

export function describeType(type: NodeTypeDraft, { nodeTypes, edgeTypes }: SchemaDraft): string {
  const known = new Set(namesIn(nodeTypes));
  const edges = edgeTypes
    .map(({ name, sources, targets }) => ({
      name,
      sources: sources.filter((each) => known.has(each)),
      targets: targets.filter((each) => known.has(each)),
    }))
    .filter(({ sources, targets }) => sources.length > 0 && targets.length > 0);
  const does = edges
    .filter(({ sources }) => sources.includes(type.name))
    .map(({ name, targets }) => `${predicateOf(name)} ${anyOf(targets)}`);
  const suffers = edges
    .filter(({ targets }) => targets.includes(type.name))
    .map(({ name, sources }) => `${anyOf(sources)} ${predicateOf(name)} it`);
  const groups = type.aggregates.map((name) => `groups ${spaced(name)} items`);
  const has =
    type.properties.length === 0
      ? []
      : [`has ${type.properties.slice(0, mostClauses).map(spaced).join(", ")}`];
  const told = [...groups, ...(does.length > 0 ? does : suffers), ...has].slice(0, mostClauses);
  const noun = capitalized(anyOf([type.name]));
  return told.length === 0 ? `${noun} that the use case names.` : `${noun}: ${told.join("; ")}.`;
}

export function describeEdge({ name, sources, targets }: EdgeTypeDraft): string {
  return `${capitalized(anyOf(sources))} ${predicateOf(name)} ${anyOf(targets)}.`;
}

/** "HELD_BY" → "is held by", "PART_OF" → "is part of", "HAS_PART" → "has", "ACQUIRED" → "acquired": what joins its ends alone is a verb. */
function predicateOf(name: string): string {
  const [first = "", second = "", ...rest] = wordsOf(name);
  if (first === "has") return "has";
  const isActive = second === "" || first.endsWith("s") || (second.endsWith("s") && !first.endsWith("ed"));
  return [...(isActive ? [] : ["is"]), first, second, ...rest].filter((word) => word !== "").join(" ");
}

function anyOf(types: readonly string[]): string {
  return types
    .slice(0, mostClauses)
    .map((type) => `${/^[aeio]/i.test(type) ? "an" : "a"} ${spaced(type)}`)
    .join(" or ");
}

function spaced(name: string): string {
  return wordsOf(name).join(" ");
}

/** Camel case and underscores divide words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

function capitalized(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}
