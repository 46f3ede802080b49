/** What chunks contribute to the graph, as rows that are written and removed with the chunks. */
import { createHash } from "node:crypto";
import type { ChunkFacts, EntityKey } from "../../../domain/graph.ts";
import type { CommitBatch } from "../../../ports/store.ts";
import type { JoinOrigin } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { insertRows } from "./bulk.ts";
import { isStorableName, storableText } from "./graph-text.ts";

/** Every row is of one chunk: `project_id`, `version_id`, `position`. */
export const evidenceTables = [
  "chunk_entities",
  "entity_evidence",
  "property_evidence",
  "join_evidence",
  "relationship_evidence",
  "unfit_facts",
] as const;
export type EvidenceTable = (typeof evidenceTables)[number];

/** Of all but quotes, which are longer; keys of indexes, which PostgreSQL wants short. In UTF-16 code units. */
const maxTextLength = 300;
const maxQuoteLength = 1_000;
/** Confidences are stored as integers. */
export const confidenceUnits = 1_000;
/** 126 bits. */
const nodeIdLength = 21;

/** Writes what the batch's chunks contribute; nobody sees it until `addToGraph`. */
export async function writeEvidence(db: Database, { projectId, parts }: CommitBatch): Promise<void> {
  const chunks = parts.flatMap(({ versionId, graph = [] }) =>
    graph.flatMap(({ position, facts }) =>
      facts === undefined
        ? []
        : [{ place: { project_id: projectId, version_id: versionId, position }, facts: fitting(facts) }],
    ),
  );
  await insertRows(
    db,
    "chunk_entities",
    chunks.flatMap(({ place, facts }) => nodeRows(place, facts)),
  );
  await insertRows(
    db,
    "entity_evidence",
    chunks.flatMap(({ place, facts }) => mentionRows(place, facts)),
  );
  await insertRows(
    db,
    "property_evidence",
    chunks.flatMap(({ place, facts }) => propertyRows(place, facts)),
  );
  await insertRows(
    db,
    "join_evidence",
    chunks.flatMap(({ place, facts }) => joinRows(place, facts)),
  );
  const edges = chunks.flatMap(({ place, facts }) => relationshipRows(place, facts));
  await insertRows(db, "relationship_evidence", edges);
  await insertRows(
    db,
    "unfit_facts",
    chunks.flatMap(({ place, facts }) => unfitRows(place, facts)),
  );
}

/** Names a node: the same for the same type and name, always. */
export function nodeIdOf({ type, key }: EntityKey): string {
  return createHash("sha256").update(`${type}\0${key}`).digest("base64url").slice(0, nodeIdLength);
}

interface Place {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
}

/** The facts whose names can be stored, each once. */
function fitting(facts: ChunkFacts): ChunkFacts {
  const fits = ({ type, key }: EntityKey) => isStorableName(type) && isStorableName(key);
  return {
    entities: facts.entities.filter(fits),
    relationships: facts.relationships.filter(
      ({ type, source, target }) => isStorableName(type) && fits(source) && fits(target),
    ),
    properties: facts.properties.filter(
      ({ entity, property, value }) => fits(entity) && isStorableName(property) && textOf(value) !== "",
    ),
    aliases: facts.aliases.filter(
      (alias) => fits(alias) && isStorableName(alias.alias) && alias.alias !== alias.key,
    ),
    candidates: facts.candidates.filter(
      (join) => fits(join) && isStorableName(join.candidate) && join.candidate !== join.key,
    ),
    unfit: facts.unfit,
  };
}

/** Everything but a candidate supports the nodes that it names. */
function nodeRows(place: Place, facts: ChunkFacts) {
  const keys: readonly EntityKey[] = [
    ...facts.entities,
    ...facts.relationships.flatMap(({ source, target }) => [source, target]),
    ...facts.properties.map(({ entity }) => entity),
    ...facts.aliases.flatMap((alias) => [alias, { type: alias.type, key: alias.alias }]),
  ];
  const rows = keys.map((key) => ({ ...place, node_id: nodeIdOf(key), type: key.type, name_key: key.key }));
  return distinct(rows, (row) => row.node_id);
}

function mentionRows(place: Place, { entities }: ChunkFacts) {
  const rows = entities.map((mention) => ({
    ...place,
    ...spanOf(mention),
    node_id: nodeIdOf(mention),
    name: textOf(mention.name) || mention.key,
    confidence: unitsOf(mention.confidence),
  }));
  return distinct(rows, (row) => `${row.node_id} ${row.start_offset} ${row.end_offset}`);
}

function propertyRows(place: Place, { properties }: ChunkFacts) {
  const rows = properties.map(({ entity, property, value, ...span }) => ({
    ...place,
    ...spanOf(span),
    node_id: nodeIdOf(entity),
    property,
    value: textOf(value),
  }));
  return distinct(rows, (row) => JSON.stringify([row.node_id, row.property, row.value]));
}

function joinRows(place: Place, { entities, aliases, candidates }: ChunkFacts) {
  const stated = aliases.map(({ type, key, alias, ...span }) => ({
    ...pairOf(nodeIdOf({ type, key }), nodeIdOf({ type, key: alias })),
    origin: "text" as const satisfies JoinOrigin,
    ...spanOf(span),
  }));
  // A rule speaks of names that the chunk has.
  const named = new Set(entities.map(nodeIdOf));
  const supposed = candidates
    .filter((join) => named.has(nodeIdOf(join)))
    .map(({ type, key, candidate }) => ({
      ...pairOf(nodeIdOf({ type, key }), nodeIdOf({ type, key: candidate })),
      origin: "rule" as const satisfies JoinOrigin,
      ...spanOf({ start: 0, end: 0 }),
    }));
  const rows = [...stated, ...supposed].map((row) => ({ ...place, ...row }));
  return distinct(rows, (row) => `${row.node_a} ${row.node_b} ${row.origin}`);
}

function pairOf(one: string, other: string) {
  return one < other ? { node_a: one, node_b: other } : { node_a: other, node_b: one };
}

/** Of several sentences of a chunk that say the same, the one that says it most surely, then the first. */
function relationshipRows(place: Place, { relationships }: ChunkFacts) {
  const rows = relationships.map((edge) => ({
    ...place,
    source_node: nodeIdOf(edge.source),
    target_node: nodeIdOf(edge.target),
    type: edge.type,
    ...spanOf(edge),
    confidence: unitsOf(edge.confidence),
    extractor: textOf(edge.extractor),
    valid_from: edge.validFrom === null ? null : textOf(edge.validFrom),
    valid_to: edge.validTo === null ? null : textOf(edge.validTo),
  }));
  rows.sort((a, b) => b.confidence - a.confidence || a.start_offset - b.start_offset);
  return distinct(rows, (row) => `${row.source_node} ${row.target_node} ${row.type}`);
}

function unfitRows(place: Place, { unfit }: ChunkFacts) {
  const rows = unfit.map((fact) => ({
    ...place,
    kind: fact.kind,
    source_type: textOf(fact.sourceType),
    name: textOf(fact.name),
    target_type: textOf(fact.targetType),
    count: Math.max(1, Math.round(fact.count)),
    example: storableText(fact.example, maxQuoteLength),
  }));
  const groups = Map.groupBy(rows, (row) =>
    JSON.stringify([row.kind, row.source_type, row.name, row.target_type]),
  );
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((row) => ({ ...row, count: group.reduce((sum, { count }) => sum + count, 0) })),
  );
}

function spanOf({ start, end }: { readonly start: number; readonly end: number }) {
  return { start_offset: start, end_offset: end };
}

function textOf(text: string): string {
  return storableText(text, maxTextLength);
}

function unitsOf(confidence: number): number {
  return Math.round(Math.min(1, Math.max(0, confidence)) * confidenceUnits) || 0; // Of NaN, too.
}

/** The first row of each key. */
function distinct<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    if (!first.has(key)) first.set(key, row);
  }
  return [...first.values()];
}
