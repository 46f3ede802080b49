/** What differs between two versions of an ontology, in words. */
import type { OntologyDiff } from "@kcs/sdk";
import { type Json, listOf, objectOf, textOf } from "./json-value.ts";

export interface WordedChange {
  readonly kind: "added" | "removed" | "renamed" | "changed";
  readonly name: string;
  readonly details: readonly string[];
}

export interface WordedChanges {
  readonly nodeTypes: readonly WordedChange[];
  readonly edgeTypes: readonly WordedChange[];
}

type TypeChange = OntologyDiff["node_types"][number];
type Types = ReadonlyMap<string, Json>;

const maxNamed = 12;

export function wordChanges(
  diff: OntologyDiff,
  schemas: { readonly before: object; readonly after: object },
) {
  const [nodesBefore, nodesAfter] = [nodeTypesOf(schemas.before), nodeTypesOf(schemas.after)];
  const [edgesBefore, edgesAfter] = [edgeTypesOf(schemas.before), edgeTypesOf(schemas.after)];
  return {
    nodeTypes: diff.node_types.flatMap((change) => wordChange(change, nodesBefore, nodesAfter)),
    edgeTypes: diff.edge_types.flatMap((change) => wordChange(change, edgesBefore, edgesAfter)),
  } satisfies WordedChanges;
}

function wordChange({ change, name, to, members }: TypeChange, before: Types, after: Types): WordedChange[] {
  if (change === "kept") return [];
  const [old, now] = [before.get(name ?? "") ?? {}, after.get(to ?? "") ?? {}];
  if (change === "added") return [{ kind: "added", name: to ?? "", details: portrait(now) }];
  if (change === "dropped") return [{ kind: "removed", name: name ?? "", details: portrait(old) }];
  const details = members.map((member) => wordMember(member, old[member], now[member]));
  return change === "renamed"
    ? [{ kind: "renamed", name: to ?? "", details: [`It was called ${name}.`, ...details] }]
    : [{ kind: "changed", name: to ?? "", details }];
}

/** What an added or a removed type is. */
function portrait(type: Json): readonly string[] {
  const ends =
    "source_types" in type ? [`${named(type["source_types"])} → ${named(type["target_types"])}`] : [];
  const description = textOf(type["description"]);
  const properties = wordsIn(type["properties"]);
  return [
    ...ends,
    ...(description === "" ? [] : [description]),
    ...(properties.length === 0 ? [] : [`Properties: ${listed(properties)}`]),
  ];
}

const lists: Readonly<Record<string, string>> = {
  properties: "Properties",
  aggregates: "Groups",
  examples: "Examples",
  aliases: "Other names",
  source_types: "From",
  target_types: "To",
};

function wordMember(member: string, old: unknown, now: unknown): string {
  const list = lists[member];
  if (list !== undefined) return `${list}: ${wordList(wordsIn(old), wordsIn(now))}`;
  if (member === "level") return `Level ${String(now)} instead of ${String(old)}`;
  if (member === "temporal") return now === true ? "It is temporal now" : "It is no longer temporal";
  if (member === "functional")
    return now === true ? "It has one target at a time now" : "It no longer has one target at a time";
  const [before, after] = [textOf(old), textOf(now)];
  if (after === "") return `No description, instead of “${before}”`;
  return before === "" ? `Description: “${after}”` : `Description: “${after}” instead of “${before}”`;
}

function wordList(old: readonly string[], now: readonly string[]): string {
  const [before, after] = [new Set(old), new Set(now)];
  const added = now.filter((each) => !before.has(each));
  const removed = old.filter((each) => !after.has(each));
  const parts = [
    ...(added.length === 0 ? [] : [`added ${listed(added)}`]),
    ...(removed.length === 0 ? [] : [`removed ${listed(removed)}`]),
  ];
  return parts.length === 0 ? "written in another way" : parts.join("; ");
}

function listed(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return names.slice(0, maxNamed).join(", ") + (more > 0 ? ` and ${more.toLocaleString("en")} more` : "");
}

function named(names: unknown): string {
  return listed(wordsIn(names));
}

function nodeTypesOf(schema: object): Types {
  const levels = listOf(objectOf(objectOf(schema)["ontology"])["hierarchy"]).map(objectOf);
  return new Map(
    levels.flatMap(({ level, node_types: types }) =>
      Object.entries(objectOf(types)).map(([name, type]) => [name, { ...objectOf(type), level }] as const),
    ),
  );
}

function edgeTypesOf(schema: object): Types {
  const types = listOf(objectOf(objectOf(schema)["ontology"])["edge_types"]).map(objectOf);
  return new Map(types.map((type) => [textOf(type["name"]), type]));
}

/** An example of an edge type may be an object with a sentence or with two ends. */
function wordsIn(value: unknown): readonly string[] {
  return listOf(value).map((item) => (typeof item === "string" ? item : exampleText(item)));
}

function exampleText(example: unknown): string {
  const { text, source, target, subject, object } = objectOf(example);
  if (typeof text === "string" && text !== "") return text;
  const ends = Array.isArray(example) ? example : [source ?? subject, target ?? object];
  return ends.map(String).join(" – ");
}
