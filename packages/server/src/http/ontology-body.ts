/** Bodies with the schema of an ontology. */
import { bodies, rawMember } from "@kcs/contract";
import { errors } from "../domain/errors.ts";
import { compareOntologies, type OntologyComparison, type TypesOfGraph } from "../domain/ontology/compare.ts";
import { checkOntology, checkSchema, type OntologyCheck } from "../domain/ontology-check.ts";
import { parseOntology } from "../domain/ontology-schema.ts";
import type { NewOntology } from "../services/ontologies.ts";
import { check, type JsonBody } from "./body.ts";

/** @throws ServiceError for a body that is not of this form; those of its schema are in `faults` */
export function readNewOntology({ value, text }: JsonBody): NewOntology {
  if (lacksHierarchy(value)) throw errors.missingHierarchy();
  const { name } = check(bodies.createOntologyBody, value);
  return { name, ...checkSchema(schemaOf(text)) };
}

/** @throws ServiceError for a body without a schema */
export function readSchemaCheck({ value, text }: JsonBody): OntologyCheck {
  check(bodies.lintOntologyBody, value);
  return checkOntology(schemaOf(text));
}

/** The text of a file in another format, and the name that the ontology is given. @throws ServiceError */
export function readOntologyImport(value: unknown): {
  readonly content: string;
  readonly name: string | undefined;
} {
  const { content, name } = check(bodies.importOntologyBody, value);
  return { content, name };
}

/** The parts of a comparison as one body; each schema is a JSON text. */
export function comparisonBody(
  before: string,
  after: string,
  graph: TypesOfGraph,
): Uint8Array<ArrayBuffer>[] {
  const parts = ['{"before":', before, ',"after":', after, `,"graph":${JSON.stringify(graph)}}`];
  return parts.map((part) => new TextEncoder().encode(part));
}

/** Something with a schema, which is put in as it is: to write a large one as a string would take tens of milliseconds. */
export function bodyWithSchema(given: unknown, schemaJson: string | null): Uint8Array<ArrayBuffer>[] {
  const parts = [`{"given":${JSON.stringify(given)},"schema":`, schemaJson ?? "null", "}"];
  return parts.map((part) => new TextEncoder().encode(part));
}

/** What `bodyWithSchema` has written. */
export function readWithSchema(text: string): {
  readonly given: unknown;
  readonly schemaJson: string | null;
} {
  const schemaJson = rawMember(text, "schema")?.text ?? "null";
  return {
    given: JSON.parse(rawMember(text, "given")?.text ?? "null"),
    schemaJson: schemaJson === "null" ? null : schemaJson,
  };
}

export function readComparison({ value, text }: JsonBody): OntologyComparison {
  const [before, after] = ["before", "after"].map((name) =>
    parseOntology(rawMember(text, name)?.text ?? "{}"),
  );
  const graph = member(value, "graph") as TypesOfGraph; // Only `comparisonBody` writes it.
  const none = parseOntology("{}");
  return compareOntologies(before ?? none, after ?? none, graph);
}

function schemaOf(text: string): string {
  return rawMember(text, "schema")?.text ?? "{}";
}

/**
 * Whether the body has a schema object without a hierarchy. Other defects are
 * reported as faults of the body's shape.
 */
function lacksHierarchy(body: unknown): boolean {
  const schema = member(body, "schema");
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const ontology = member(schema, "ontology");
  if (ontology !== undefined && ontology !== null && typeof ontology !== "object") return false;
  const hierarchy = member(ontology, "hierarchy");
  return (
    hierarchy === undefined || hierarchy === null || (Array.isArray(hierarchy) && hierarchy.length === 0)
  );
}

export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
