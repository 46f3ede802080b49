/** The entities, relationships, associations or proposals of a graph as CSV (RFC 4180), safe to open in a spreadsheet. */
import type { Proposal } from "../../../ports/graph-browser.ts";
import type { Entity } from "../../../ports/graph-store.ts";
import type {
  ExportedAssociation,
  ExportedRelationship,
  GraphExport,
} from "../../../services/graph/export.ts";
import { propertiesOf, relationshipId, roundStrength, timesOf } from "../graph.ts";

const ENTITY_COLUMNS = ["entity_id", "type", "name", "aliases", "properties", "chunks"];
/** Of what joins two entities. */
const LINK_COLUMNS = [
  "type",
  "source_id",
  "source_type",
  "source_name",
  "target_id",
  "target_type",
  "target_name",
  "chunks",
];
const FACT_COLUMNS = [...LINK_COLUMNS, "confidence", "valid_from", "valid_to"];
const RELATIONSHIP_COLUMNS = ["relationship_id", ...FACT_COLUMNS];

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
export type GraphPart = "entities" | "relationships" | "associations" | "proposals";

/** Yields one part of the file per page of the graph. Cells with lists and objects contain JSON. */
export function csvOf(graph: GraphExport, part: GraphPart): AsyncGenerator<string> {
  switch (part) {
    case "entities":
      return linesOf(ENTITY_COLUMNS, graph.entities(), entityCells);
    case "relationships":
      return linesOf(RELATIONSHIP_COLUMNS, graph.namedRelationships(), relationshipCells);
    case "associations":
      return linesOf(ASSOCIATION_COLUMNS, graph.associations(), associationCells);
    case "proposals":
      return linesOf(FACT_COLUMNS, graph.proposals(), (proposal) => factCells(proposal, proposal));
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
  return [relationshipId(relationship), ...factCells(relationship, { source, target })];
}

/** The id of an end that is no entity is empty. */
function factCells(
  fact: Pick<Proposal, "type" | "chunks" | "evidence"> & { readonly confidence: number | null },
  ends: Readonly<Record<"source" | "target", Pick<Proposal["source"], "entityId" | "type" | "name">>>,
): readonly string[] {
  const { validFrom, validTo } = timesOf(fact);
  const cells = [ends.source, ends.target].flatMap((end) => [end.entityId ?? "", end.type, end.name]);
  const { type, chunks, confidence } = fact;
  return [
    type,
    ...cells,
    String(chunks),
    confidence === null ? "" : String(confidence),
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
