/** The entities, relationships or associations of a graph as CSV (RFC 4180), safe to open in a spreadsheet. */
import type { Entity } from "../../../ports/graph-store.ts";
import type {
  ExportedAssociation,
  ExportedRelationship,
  GraphExport,
} from "../../../services/graph/export.ts";
import { propertiesOf, relationshipId, roundStrength, timesOf } from "../graph.ts";

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

const ASSOCIATION_COLUMNS = [
  "entity_id",
  "type",
  "name",
  "other_id",
  "other_type",
  "other_name",
  "chunks",
  "strength",
];

/** The kind of rows in a file. */
export type GraphPart = "entities" | "relationships" | "associations";

/** Yields one part of the file per page of the graph. Cells with lists and objects contain JSON. */
export function csvOf(graph: GraphExport, part: GraphPart): AsyncGenerator<string> {
  switch (part) {
    case "entities":
      return linesOf(ENTITY_COLUMNS, graph.entities(), entityCells);
    case "relationships":
      return linesOf(RELATIONSHIP_COLUMNS, graph.namedRelationships(), relationshipCells);
    case "associations":
      return linesOf(ASSOCIATION_COLUMNS, graph.associations(), associationCells);
  }
}

async function* linesOf<Item>(
  columns: readonly string[],
  pages: AsyncIterable<readonly Item[]>,
  cellsOf: (item: Item) => readonly string[],
): AsyncGenerator<string> {
  yield lineOf(columns);
  for await (const page of pages) yield page.map((item) => lineOf(cellsOf(item))).join("");
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

function associationCells({ entity, other, chunks, strength }: ExportedAssociation): readonly string[] {
  return [
    entity.entityId,
    entity.type,
    entity.name,
    other.entityId,
    other.type,
    other.name,
    String(chunks),
    String(roundStrength(strength)),
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
