/** A model's reply → a suggestion, or what is wrong with it. */

import {
  type WrittenEdgeType,
  type WrittenNodeType,
  writeSchema,
} from "../../../../domain/ontology/write-schema.ts";
import type { Suggestion } from "../../../../domain/ontology.ts";
import { describeOntologyFaults } from "../../../../domain/ontology-check.ts";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { edgeName, typeName } from "../names.ts";

export type ReadSuggestion =
  | { readonly kind: "suggestion"; readonly suggestion: Suggestion }
  | { readonly kind: "faults"; readonly faults: string };

type Fields = Readonly<Record<string, unknown>>;

const MAX_NAME = 200;
/** More than the tokens that a reply may have can say. It is read in the thread that serves all accounts. */
const MOST = { types: 500, names: 4_000 } as const;

/** What the reply means, in the names of the house; checked as a schema that a caller sends is. */
export function readSuggestion(value: unknown): ReadSuggestion {
  if (!isFields(value)) return { kind: "faults", faults: "the answer is no JSON object" };
  const types = typesOf(value);
  if (Math.max(types.nodeTypes.length, types.edgeTypes.length) > MOST.types)
    return { kind: "faults", faults: `the answer has more than ${MOST.types} node types or edge types` };
  if (countNames(types) > MOST.names)
    return { kind: "faults", faults: `the answer's lists have more than ${MOST.names} names` };
  if (types.nodeTypes.length === 0) return { kind: "faults", faults: "the answer has no node types" };
  const schemaJson = writeSchema(inHouseStyle(types));
  const faults = describeOntologyFaults(schemaJson);
  if (faults !== null) return { kind: "faults", faults };
  return { kind: "suggestion", suggestion: { name: nameOf(value, types), schemaJson } };
}

interface Types {
  readonly nodeTypes: readonly WrittenNodeType[];
  readonly edgeTypes: readonly WrittenEdgeType[];
}

function countNames({ nodeTypes, edgeTypes }: Types): number {
  const lists = [
    ...nodeTypes.flatMap((type) => [type.properties, type.aggregates]),
    ...edgeTypes.flatMap((edge) => [edge.properties, edge.sourceTypes, edge.targetTypes]),
  ];
  return lists.reduce((sum, names) => sum + names.length, 0);
}

/** Some models answer in the form that the service itself answers in. Of too many types one more than allowed is read. */
function typesOf(value: Fields): Types {
  const schema = isFields(value["schema"]) ? value["schema"] : value;
  if (isFields(schema["ontology"])) return parseOntology(JSON.stringify(schema));
  return {
    nodeTypes: listOf(value["nodeTypes"], MOST.types + 1).map((type) => ({
      name: textOf(type["name"]),
      level: typeof type["level"] === "number" ? type["level"] : 0,
      description: textOf(type["description"]),
      properties: distinct(namesOf(type["properties"])),
      aggregates: distinct(namesOf(type["aggregates"])),
    })),
    edgeTypes: listOf(value["edgeTypes"], MOST.types + 1).map((edge) => ({
      name: textOf(edge["name"]),
      sourceTypes: distinct(namesOf(edge["sourceTypes"])),
      targetTypes: distinct(namesOf(edge["targetTypes"])),
      properties: distinct(namesOf(edge["properties"])),
      temporal: edge["temporal"] === true,
      description: textOf(edge["description"]),
    })),
  };
}

/** Names that are written otherwise are rewritten, wherever they stand; an empty one stays and is a fault. */
function inHouseStyle({ nodeTypes, edgeTypes }: Types): Types {
  const renamed = (name: string) => (/^\p{Lu}[\p{L}\p{N}]*$/u.test(name) ? name : typeName(name) || name);
  return {
    nodeTypes: nodeTypes.map((type) => ({
      ...type,
      name: renamed(type.name),
      aggregates: distinct(type.aggregates.map(renamed)),
    })),
    edgeTypes: edgeTypes.map((edge) => ({
      ...edge,
      name: edgeName(edge.name) || edge.name,
      sourceTypes: distinct(edge.sourceTypes.map(renamed)),
      targetTypes: distinct(edge.targetTypes.map(renamed)),
    })),
  };
}

function nameOf(value: Fields, { nodeTypes }: Types): string {
  const given = textOf(value["name"])
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const name =
    given === ""
      ? nodeTypes
          .slice(0, 3)
          .map((type) => type.name)
          .join(", ")
      : given;
  return [...name].slice(0, MAX_NAME).join("");
}

function listOf(value: unknown, most: number): readonly Fields[] {
  return Array.isArray(value) ? value.slice(0, most).filter(isFields) : [];
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
