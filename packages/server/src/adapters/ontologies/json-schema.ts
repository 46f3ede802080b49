/** Ontologies as JSON Schema: each node type is a definition, each edge type a property that refers to others. */
import type { EdgeType, NodeType, OntologySchema } from "../../domain/ontology/types.ts";
import { exampleMember } from "../../domain/ontology/write-schema.ts";
import type { ReadOntologyFile } from "../../ports/ontology-files.ts";
import { createDraft, type Draft, placeOf } from "./draft.ts";
import { type Json, membersOf, readEdgeMembers, readNodeMembers, toEdgeName } from "./json-members.ts";
import { createPairs } from "./pairs.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** Has what JSON Schema has no member for. */
const EXTENSION = "x-kcs";
const EDGES = "x-kcs-edge-types";
const MAX_DEPTH = 8;

export function toJsonSchema({
  name,
  schema,
}: {
  readonly name: string;
  readonly schema: OntologySchema;
}): unknown {
  const edgesFrom = createPairs(schema.edgeTypes);
  const definition = (node: NodeType) => ({
    type: "object",
    description: node.description,
    properties: Object.fromEntries([
      ...(edgesFrom.get(node.name) ?? []).map(({ name: edge, targetTypes }) => [edge, refsTo(targetTypes)]),
      ...node.properties.map((property) => [property, { type: "string" }]),
    ]),
    [EXTENSION]: nodeMembers(node),
  });
  const definitions = schema.nodeTypes.map((node) => [node.name, definition(node)]);
  const edges = schema.edgeTypes.map((edge) => [edge.name, edgeMembers(edge)]);
  return {
    $schema: DIALECT,
    title: name,
    $defs: Object.fromEntries(definitions),
    [EDGES]: Object.fromEntries(edges),
  };
}

export function nodeMembers({ level, aggregates, aliases, examples, readAs }: NodeType) {
  return { level, aggregates, aliases, examples, ...earlierName(readAs) };
}

function earlierName(readAs: string | undefined) {
  return readAs === undefined ? {} : { read_as: readAs };
}

export function edgeMembers(edge: EdgeType) {
  const { description, temporal, functional, properties, aliases, examples } = edge;
  return {
    ...{ sources: edge.sourceTypes, targets: edge.targetTypes, description, temporal, properties },
    ...(functional ? { functional } : {}),
    ...earlierName(edge.readAs),
    ...{ aliases, examples: examples.map(exampleMember) },
  };
}

function refsTo(types: readonly string[]) {
  return { type: "array", items: { anyOf: types.map((type) => ({ $ref: `#/$defs/${pointerOf(type)}` })) } };
}

/** As in a JSON pointer, in the fragment of an address. */
function pointerOf(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function nameOfRef(ref: string): string | null {
  const [, encoded] = /^#\/(?:\$defs|definitions)\/([^/]{1,2000})$/.exec(ref) ?? [];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return null;
  }
}

export function readJsonSchema(file: Json): ReadOntologyFile {
  const draft = createDraft();
  draft.name = typeof file["title"] === "string" ? file["title"] : null;
  const definitions = [...membersOf(file["$defs"]), ...membersOf(file["definitions"])];
  const objects = definitions.filter(([name, definition]) => {
    const isObject = definition["properties"] !== undefined || definition["type"] === "object";
    if (!isObject) draft.leaveOut(name, "is no object, so it is no node type");
    return isObject;
  });
  if (objects.length === 0 && file["properties"] !== undefined && draft.name !== null)
    objects.push([draft.name, file]);
  for (const [name] of objects) draft.node(name);
  const known = new Set(membersOf(file[EDGES]).map(([name]) => name));
  for (const [name, definition] of objects) readDefinition(draft, { name, definition, known });
  for (const [name, edge] of membersOf(file[EDGES])) readEdgeMembers(draft.edge(name), edge);
  leaveOutOthers(draft, "the file", {
    value: file,
    read: ["$schema", "$id", "title", "$defs", "definitions", "properties", "type", EDGES],
  });
  return draft.finish();
}

function readDefinition(
  draft: Draft,
  {
    name,
    definition,
    known,
  }: { readonly name: string; readonly definition: Json; readonly known: ReadonlySet<string> },
): void {
  const node = draft.node(name);
  node.description = typeof definition["description"] === "string" ? definition["description"] : "";
  if (typeof definition["title"] === "string" && definition["title"] !== name)
    node.aliases.add(definition["title"]);
  readNodeMembers(node, membersOf({ x: definition[EXTENSION] })[0]?.[1] ?? {});
  for (const [property, value] of membersOf(definition["properties"])) {
    const place = placeOf(name, property);
    const refs = refsOf(value).flatMap((ref) => nameOfRef(ref) ?? []);
    const targets = refs.filter((ref) => draft.hasNode(ref));
    if (targets.length === 0) {
      node.properties.add(property);
      leaveOutOthers(draft, place, { value, read: ["type"] });
      continue;
    }
    if (known.has(property)) continue;
    const edge = draft.edge(toEdgeName(property));
    edge.sourceTypes.add(name);
    for (const target of targets) edge.targetTypes.add(target);
    if (typeof value["description"] === "string") edge.description ||= value["description"];
    leaveOutOthers(draft, place, {
      value,
      read: ["type", "items", "anyOf", "oneOf", "allOf", "$ref", "description"],
    });
  }
  leaveOutOthers(draft, name, {
    value: definition,
    read: [
      "type",
      "description",
      "title",
      "properties",
      EXTENSION,
      ...(name === draft.name ? ["$schema", "$id", EDGES] : []),
    ],
  });
}

/** In arrays and alternatives, too. */
function refsOf(value: Json, depth = 0): readonly string[] {
  if (depth > MAX_DEPTH) return [];
  const own = typeof value["$ref"] === "string" ? [value["$ref"]] : [];
  const parts = [value["items"], value["anyOf"], value["oneOf"], value["allOf"]].flatMap((part) =>
    membersOf(Array.isArray(part) ? part : [part]),
  );
  return [...own, ...parts.flatMap(([, part]) => refsOf(part, depth + 1))];
}

function leaveOutOthers(
  draft: Draft,
  item: string,
  { value, read }: { readonly value: Json; readonly read: readonly string[] },
): void {
  for (const member of Object.keys(value))
    if (!read.includes(member)) draft.leaveOut(item, `has ${member}, for which there is no place`);
}
