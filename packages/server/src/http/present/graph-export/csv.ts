/** The entities or relationships of a graph as CSV (RFC 4180), safe to open in a spreadsheet. */
import type { Entity } from "../../../ports/graph-store.ts";
import type { ExportedRelationship, GraphExport } from "../../../services/graph/export.ts";
import { propertiesOf, relationshipId, timesOf } from "../graph.ts";

const ENTITY_COLUMNS = ["entity_id", "type", "name", "aliases", "properties", "chunks"];
const RELATIONSHIP_COLUMNS = [
  "relationship_id",
  "type",
  "source_id",
  "source_type",
  "source_name",
  "target_id",
  "target_type",
  "target_name",
  "chunks",
  "valid_from",
  "valid_to",
];

/** Yields one part of the file per page of the graph. Cells with lists and objects contain JSON. */
export async function* csvOf(graph: GraphExport, part: "entities" | "relationships"): AsyncGenerator<string> {
  if (part === "entities") {
    yield lineOf(ENTITY_COLUMNS);
    for await (const page of graph.entities())
      yield page.map((entity) => lineOf(entityCells(entity))).join("");
  } else {
    yield lineOf(RELATIONSHIP_COLUMNS);
    for await (const page of graph.namedRelationships()) {
      yield page.map((relationship) => lineOf(relationshipCells(relationship))).join("");
    }
  }
}

function entityCells(entity: Entity): readonly string[] {
  const { entityId, type, name, aliases, chunks } = entity;
  return [
    entityId,
    type,
    name,
    JSON.stringify(aliases),
    JSON.stringify(propertiesOf(entity)),
    String(chunks),
  ];
}

function relationshipCells({ relationship, source, target }: ExportedRelationship): readonly string[] {
  const { validFrom, validTo } = timesOf(relationship);
  return [
    relationshipId(relationship),
    relationship.type,
    source.entityId,
    source.type,
    source.name,
    target.entityId,
    target.type,
    target.name,
    String(relationship.chunks),
    validFrom ?? "",
    validTo ?? "",
  ];
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(escapeCell).join(",")}\r\n`;
}

/**
 * A spreadsheet would run a cell that begins with one of these as a formula.
 * A leading apostrophe makes it text.
 */
const FORMULA = /^[=+\-@\t\r]/;

export function escapeCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
