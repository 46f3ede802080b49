/** Reads the members of JSON files whose shapes others define. */
import { type DraftEdge, type DraftNode, exampleOf } from "./draft.ts";

export type Json = Readonly<Record<string, unknown>>;

/** The members of an object, or the items of an array, that are objects. */
export function membersOf(value: unknown): [string, Json][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).filter((entry): entry is [string, Json] => isObject(entry[1]));
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** What an ontology has and the format does not. */
export function readNodeMembers(node: DraftNode, members: Json): void {
  readEarlierName(node, members);
  if (typeof members["level"] === "number") node.level = members["level"];
  for (const name of textsOf(members["aggregates"])) node.aggregates.add(name);
  for (const name of textsOf(members["aliases"])) node.aliases.add(name);
  for (const name of textsOf(members["examples"])) node.examples.add(name);
}

export function readEdgeMembers(edge: DraftEdge, members: Json): void {
  for (const name of textsOf(members["sources"])) edge.sourceTypes.add(name);
  for (const name of textsOf(members["targets"])) edge.targetTypes.add(name);
  if (typeof members["description"] === "string") edge.description = members["description"];
  readEarlierName(edge, members);
  edge.temporal ||= members["temporal"] === true;
  edge.functional ||= members["functional"] === true;
  for (const name of textsOf(members["properties"])) edge.properties.add(name);
  for (const name of textsOf(members["aliases"])) edge.aliases.add(name);
  const examples = Array.isArray(members["examples"]) ? members["examples"] : [];
  edge.examples.push(...examples.flatMap((example) => exampleOf(example) ?? []));
}

function readEarlierName(type: DraftNode | DraftEdge, members: Json): void {
  if (typeof members["read_as"] === "string") type.readAs = members["read_as"];
}

/** `worksAt` and `works at` as `WORKS_AT`. */
export function toEdgeName(name: string): string {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1_$2")
    .replace(/[^\p{L}\p{N}]/gu, "_")
    .toUpperCase();
}
