/** The parts of a schema that the form edits. All other members of the schema are preserved. */
import { repeatedName } from "./json-place.ts";
import { isObject, type Json, listOf, objectOf, textOf, textsOf } from "./json-value.ts";

export interface NodeTypeDraft {
  readonly name: string;
  readonly level: number;
  readonly description: string;
  readonly properties: readonly string[];
  readonly aggregates: readonly string[];
  /** The name under which texts are read, where it was renamed. */
  readonly readAs?: string;
}

export interface EdgeTypeDraft {
  readonly name: string;
  readonly description: string;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  readonly properties: readonly string[];
  readonly isTemporal: boolean;
  readonly isFunctional: boolean;
  /** As of a node type. */
  readonly readAs?: string;
}

export interface SchemaDraft {
  readonly nodeTypes: readonly NodeTypeDraft[];
  readonly edgeTypes: readonly EdgeTypeDraft[];
}

export const emptySchema: Json = { ontology: { hierarchy: [{ level: 0, node_types: {} }], edge_types: [] } };

/** A schema, or why a text is none; then only the text can be edited. */
export function parseSchema(
  text: string,
): { readonly schema: Json; readonly fault: null } | { readonly schema: null; readonly fault: string } {
  const syntax = syntaxFault(text);
  if (syntax !== null) return { schema: null, fault: syntax };
  const value = parsed(text);
  if (!isObject(value) || !isObject(value["ontology"]))
    return { schema: null, fault: "The text is not JSON with the member “ontology” yet." };
  const name = repeatedName(text);
  if (name === null) return { schema: value, fault: null };
  return {
    schema: null,
    fault: `“${name}” is in one object twice, and only one can be kept. Rename one or remove it.`,
  };
}

/** With the line, as far as the browser tells the place. */
function syntaxFault(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const [, line] = /\bline (\d{1,9})\b/.exec(message) ?? [];
    const [, position] = /\bposition (\d{1,9})\b/.exec(message) ?? [];
    if (line === undefined && position === undefined) return "The text is not JSON yet: it ends too early.";
    return `The text is not JSON: line ${line ?? lineAt(text, Number(position))} cannot be read.`;
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The layout of the text is no difference. */
export function isSameDraft(
  one: { readonly name: string; readonly text: string },
  other: { readonly name: string; readonly text: string },
): boolean {
  if (one.name !== other.name) return false;
  if (one.text === other.text) return true;
  const value = parsed(one.text);
  return value !== null && JSON.stringify(value) === JSON.stringify(parsed(other.text));
}

export function printSchema(schema: object): string {
  return JSON.stringify(schema, null, 2);
}

export function readDraft(schema: Json): SchemaDraft {
  const ontology = objectOf(schema["ontology"]);
  return {
    nodeTypes: listOf(ontology["hierarchy"]).flatMap((level) =>
      Object.entries(objectOf(objectOf(level)["node_types"])).map(([name, type]) =>
        readNodeType(name, Number(objectOf(level)["level"] ?? 0), objectOf(type)),
      ),
    ),
    edgeTypes: listOf(ontology["edge_types"]).map((type) => readEdgeType(objectOf(type))),
  };
}

function readNodeType(name: string, level: number, type: Json): NodeTypeDraft {
  return {
    name,
    level,
    description: textOf(type["description"]),
    properties: textsOf(type["properties"]),
    aggregates: textsOf(type["aggregates"]),
    ...readEarlier(type),
  };
}

function readEdgeType(type: Json): EdgeTypeDraft {
  return {
    name: textOf(type["name"]),
    description: textOf(type["description"]),
    sources: textsOf(type["source_types"]),
    targets: textsOf(type["target_types"]),
    properties: textsOf(type["properties"]),
    isTemporal: type["temporal"] === true,
    isFunctional: type["functional"] === true,
    ...readEarlier(type),
  };
}

function readEarlier(type: Json): { readonly readAs?: string } {
  const readAs = textOf(type["read_as"]);
  return readAs === "" ? {} : { readAs };
}

/** The names under which the texts of types are read. */
export function readNamesIn(types: readonly { readonly name: string; readonly readAs?: string }[]) {
  return types.map(({ name, readAs = name }) => readAs);
}

/** Whether one of the names is the same to the service, which overlooks case, spaces and forms of Unicode. */
export function isTaken(name: string, names: readonly string[]): boolean {
  const key = keyOf(name);
  return names.some((each) => keyOf(each) === key);
}

function keyOf(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/[\s\p{Cf}]/gu, "")
    .toLowerCase();
}

/** The edge types that have no source or no target without a node type. */
export function edgesOnlyOf({ edgeTypes }: SchemaDraft, type: string): readonly EdgeTypeDraft[] {
  const isOnly = (ends: readonly string[]) => ends.length > 0 && ends.every((end) => end === type);
  return edgeTypes.filter(({ sources, targets }) => isOnly(sources) || isOnly(targets));
}

/**
 * Replaces the node type named `before`. `before` null adds a type, `after` null removes one, with the edge types that are only of it. A new name is
 * also changed in edge types and aggregates. Under a name that another type has, nothing is changed: the other one would be lost.
 */
export function withNodeType(schema: Json, before: string | null, after: NodeTypeDraft | null): Json {
  const others = readDraft(schema).nodeTypes.filter(({ name }) => name !== before);
  if (after !== null && isTaken(after.name, namesIn(others))) return schema;
  const ontology = objectOf(schema["ontology"]);
  const known = before === null ? {} : definitionOf(ontology, before);
  const levels = listOf(ontology["hierarchy"]).map(objectOf);
  const withType = placeType(levels, before, after === null ? null : { after, known });
  const isRenamed = before !== null && after !== null && before !== after.name;
  const isRemoved = before !== null && after === null;
  const to = isRemoved ? null : isRenamed ? after.name : before;
  const isKept = before === null || to === before;
  const hierarchy = isKept ? withType : withType.map((level) => renameIn(level, before, to));
  const gone = isRemoved ? namesIn(edgesOnlyOf(readDraft(schema), before)) : [];
  const edges = listOf(ontology["edge_types"])
    .filter((edge) => !gone.includes(textOf(objectOf(edge)["name"])))
    .map((edge) => (isKept ? edge : renameEnds(objectOf(edge), before, to)));
  return { ...schema, ontology: { ...ontology, hierarchy, edge_types: edges } };
}

/** In the place of the one named `before`, where the level stays: the order of types counts where texts are read. */
function placeType(
  levels: readonly Json[],
  before: string | null,
  put: { readonly after: NodeTypeDraft; readonly known: Json } | null,
): readonly Level[] {
  const made = put === null ? null : ([put.after.name, definitionAfter(put.after, put.known)] as const);
  const at = put?.after.level ?? 0;
  const placed = levels.map((level) => {
    const types = Object.entries(objectOf(level["node_types"]));
    const isOwn = made !== null && level["level"] === at;
    const stays = isOwn && types.some(([name]) => name === before);
    const kept = types.flatMap(([name, type]) =>
      name !== before ? [[name, type] as const] : stays ? [made] : [],
    );
    const placed: Level = {
      ...level,
      node_types: Object.fromEntries(isOwn && !stays ? [...kept, made] : kept),
    };
    return placed;
  });
  if (made === null || levels.some((level) => level["level"] === at)) return placed;
  const added: Level = { level: at, node_types: Object.fromEntries([made]) };
  return [...placed, added].sort((one, other) => Number(one["level"]) - Number(other["level"]));
}

type Level = Json & { readonly node_types: Json };

function definitionAfter(
  { properties, description, aggregates, readAs }: NodeTypeDraft,
  { read_as: _, ...known }: Json,
): Json {
  return {
    ...known,
    ...{ properties, description },
    ...(aggregates.length > 0 || "aggregates" in known ? { aggregates } : {}),
    ...(readAs === undefined ? {} : { read_as: readAs }),
  };
}

function definitionOf(ontology: Json, name: string): Json {
  const found = listOf(ontology["hierarchy"])
    .map((level) => objectOf(objectOf(level)["node_types"])[name])
    .find((type) => type !== undefined);
  return objectOf(found);
}

/** `after` null: the name goes. */
function renameIn(level: Level, before: string, after: string | null): Level {
  const types = Object.entries(level.node_types).map(([name, type]) => {
    const { aggregates } = objectOf(type);
    return [
      name,
      aggregates === undefined ? type : { ...objectOf(type), aggregates: renamed(aggregates, before, after) },
    ];
  });
  return { ...level, node_types: Object.fromEntries(types) };
}

function renameEnds(edge: Json, before: string, after: string | null): Json {
  return {
    ...edge,
    source_types: renamed(edge["source_types"], before, after),
    target_types: renamed(edge["target_types"], before, after),
  };
}

function renamed(names: unknown, before: string, after: string | null): readonly string[] {
  return textsOf(names).flatMap((name) => (name === before ? (after ?? []) : name));
}

/** Replaces the edge type at index `at`. `at` null adds a type, `after` null removes one. A taken name changes nothing. */
export function withEdgeType(schema: Json, at: number | null, after: EdgeTypeDraft | null): Json {
  const others = readDraft(schema).edgeTypes.filter((_, index) => index !== at);
  if (after !== null && isTaken(after.name, namesIn(others))) return schema;
  const ontology = objectOf(schema["ontology"]);
  const edges = listOf(ontology["edge_types"]);
  const { read_as: _, ...known } = at === null ? {} : objectOf(edges[at]);
  const next = after === null ? [] : [{ ...known, ...printEdgeType(after) }];
  const list = at === null ? [...edges, ...next] : [...edges.slice(0, at), ...next, ...edges.slice(at + 1)];
  return { ...schema, ontology: { ...ontology, edge_types: list } };
}

function printEdgeType(edge: EdgeTypeDraft): Json {
  const { name, description, sources, targets, properties, isTemporal, isFunctional, readAs } = edge;
  return {
    name,
    source_types: sources,
    target_types: targets,
    properties,
    temporal: isTemporal,
    functional: isFunctional,
    description,
    ...(readAs === undefined ? {} : { read_as: readAs }),
  };
}

export function namesIn(types: readonly { readonly name: string }[]): readonly string[] {
  return types.map(({ name }) => name);
}
