/**
 * Reads the places in texts that support entities, properties and relationships, from the stored facts of a
 * few chunks.
 */
import { sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import type { Span } from "../../../domain/graph.ts";
import { holdsAt, type Moment } from "../../../domain/validity.ts";
import type { EvidencePlace, RelationshipPlace } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { partsOf } from "./bulk.ts";
import { matchesKey } from "./chunk-keys.ts";
import { type FactsOfChunk, type FactsRow, toFacts } from "./graph-evidence.ts";
import { nameOf, probabilityOf, type StoredEdge, type StoredProposal } from "./graph-facts.ts";
import { keyOfEdge } from "./graph-places.ts";
import { isPresent, type Row, selectFor, selectIn } from "./graph-sql.ts";

/** Limit of chunks per name or value, and of sentences per relationship: reading one place decodes all facts of its chunk. */
export const maxPlaces = 3;
/** Limit of values of one name whose places are read. */
const maxValues = 50;
const maxListed = 256;
const maxWithin = 500;
/** Separators of rows and columns in an aggregated list. */
const rowEnd = "\n";
const columnEnd = "\t";
const { lit } = sql;

export interface EntityPlaces {
  readonly mentions: readonly EvidencePlace[];
  ofProperty(property: string, value: string): readonly (ChunkKey & Span)[];
}

/** The places in these chunks under any name of an entity, keyed by the first node of each entity. */
export async function readEntityPlacesIn(
  db: Database,
  projectId: string,
  { entities, within }: { entities: readonly (readonly number[])[]; within: readonly ChunkKey[] },
): Promise<ReadonlyMap<number, EntityPlaces>> {
  const names = await readNames(db, projectId, entities.flat());
  const facts = await readFacts(db, projectId, within.slice(0, maxWithin));
  const chunks = [...facts.values()].sort((a, b) => a.versionId - b.versionId || a.position - b.position);
  return new Map(
    entities.map((nodes) => {
      const own = new Set(nodes.map((node) => names.get(node) ?? ""));
      const mentions = chunks.flatMap((chunk) => mentionsOf(chunk, own));
      const ofProperty = (property: string, value: string) =>
        chunks.flatMap((chunk) => valuesOf(chunk, { names: own, property, value })).slice(0, maxPlaces);
      return [nodes[0] ?? 0, { mentions: mostConfident(mentions), ofProperty }];
    }),
  );
}

/** The first places of each node, keyed by node. */
export async function readEntityPlaces(
  db: Database,
  projectId: string,
  nodes: readonly number[],
): Promise<ReadonlyMap<number, EntityPlaces>> {
  const names = await readNames(db, projectId, nodes);
  const places = await selectFor<PlacesRow>(db, {
    columns: { node_id: "bigint" },
    rows: nodes.map((node): Row => [node]),
    query: sql`select k.node_id as id,
      (select string_agg(${placeText}, ${lit(rowEnd)}) from (
        select version_id, position from entity_places as p
        where p.project_id = ${projectId} and p.node_id = k.node_id and ${isPresent(projectId, "p.version_id")}
        order by version_id, position limit ${lit(maxPlaces)}) as first) as places
      from keys as k where k.node_id is not null`,
  });
  const properties = await readPropertyPlaces(db, projectId, nodes);
  const facts = await readFacts(db, projectId, [
    ...places.flatMap((row) => parsePlaces(row.places)),
    ...[...properties.values()].flatMap((values) => [...values.values()].flat()),
  ]);
  return new Map(
    places.map(({ id, places: list }) => {
      const own = new Set([names.get(id) ?? ""]);
      const mentions = parsePlaces(list).flatMap((place) => mentionsOf(facts.get(textOfKey(place)), own));
      const ofProperty = (property: string, value: string) =>
        (properties.get(id)?.get(`${property}${columnEnd}${value}`) ?? []).flatMap((place) =>
          valuesOf(facts.get(textOfKey(place)), { names: own, property, value }),
        );
      return [id, { mentions: mostConfident(mentions), ofProperty }];
    }),
  );
}

interface PlacesRow {
  readonly id: number;
  readonly places: string | null;
}

const placeText = sql`version_id || ${lit(columnEnd)} || position`;

function parsePlaces(list: string | null): readonly ChunkKey[] {
  if (list === null) return [];
  const places = list.split(rowEnd).map((row) => {
    const [versionId, position] = row.split(columnEnd);
    return { versionId: Number(versionId), position: Number(position) };
  });
  return places.sort((a, b) => a.versionId - b.versionId || a.position - b.position);
}

export function textOfKey({ versionId, position }: ChunkKey): string {
  return `${versionId}:${position}`;
}

/** The first places of each property value, keyed by node, then by property and value. */
async function readPropertyPlaces(
  db: Database,
  projectId: string,
  nodes: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, readonly ChunkKey[]>>> {
  const rows = await selectFor<PlacesRow & { property: string; value: string }>(db, {
    columns: { node_id: "bigint" },
    rows: nodes.map((node): Row => [node]),
    query: sql`select k.node_id as id, v.property, v.value,
      (select string_agg(${placeText}, ${lit(rowEnd)}) from (
        select version_id, position from property_places as p
        where p.project_id = ${projectId} and p.node_id = v.node_id and p.property = v.property and p.value = v.value
          and ${isPresent(projectId, "p.version_id")}
        order by version_id, position limit ${lit(maxPlaces)}) as first) as places
      from keys as k
      cross join entity_properties as v
      where v.project_id = ${projectId} and v.node_id = k.node_id
      order by v.chunks desc, v.property, v.value
      limit ${lit(maxListed * maxValues)}`,
  });
  const byNode = new Map<number, Map<string, readonly ChunkKey[]>>();
  for (const { id, property, value, places } of rows) {
    const values = byNode.get(id) ?? new Map<string, readonly ChunkKey[]>();
    byNode.set(id, values);
    if (values.size < maxValues) values.set(`${property}${columnEnd}${value}`, parsePlaces(places));
  }
  return byNode;
}

/** The mentions in the chunk of any of these names, which are in the form of `nameOf`. */
export function mentionsOf(
  chunk: FactsOfChunk | undefined,
  names: ReadonlySet<string>,
): readonly EvidencePlace[] {
  if (chunk === undefined) return [];
  const { versionId, position, facts } = chunk;
  return facts.mentions
    .filter(([node]) => names.has(nameAt(chunk, node)))
    .map(([, start, end, , confidence]) => ({
      versionId,
      position,
      start,
      end,
      confidence: probabilityOf(confidence),
    }));
}

/** The relationships and properties in the chunk of any of these names. */
export function supportOf(chunk: FactsOfChunk, names: ReadonlySet<string>): readonly EvidencePlace[] {
  const { versionId, position, facts } = chunk;
  const has = (node: number) => names.has(nameAt(chunk, node));
  const related = facts.edges
    .filter(([source, target]) => has(source) || has(target))
    .map(([, , , start, end, confidence]) => ({ start, end, confidence: probabilityOf(confidence) }));
  const described = facts.properties
    .filter(([node]) => has(node))
    .map(([, start, end]) => ({ start, end, confidence: 1 }));
  return [...related, ...described].map((place) => ({ versionId, position, ...place }));
}

function valuesOf(
  chunk: FactsOfChunk | undefined,
  filter: { names: ReadonlySet<string>; property: string; value: string },
): readonly (ChunkKey & Span)[] {
  if (chunk === undefined) return [];
  const { versionId, position, facts } = chunk;
  return facts.properties
    .filter(
      ([node, , , property, value]) =>
        property === filter.property && value === filter.value && filter.names.has(nameAt(chunk, node)),
    )
    .map(([, start, end]) => ({ versionId, position, start, end }));
}

function nameAt({ facts }: FactsOfChunk, node: number): string {
  const [type = "", key = ""] = facts.nodes[node] ?? [];
  return nameOf({ type, key });
}

function mostConfident<Place extends EvidencePlace>(places: readonly Place[]): readonly Place[] {
  return places.toSorted(byConfidence).slice(0, maxPlaces);
}

function byConfidence(a: EvidencePlace, b: EvidencePlace): number {
  return (
    b.confidence - a.confidence || a.versionId - b.versionId || a.position - b.position || a.start - b.start
  );
}

/** The most confident places, at most 3, without those that repeat a part of a text: of another chunk or under another name. */
export function surestSentences<Place extends EvidencePlace>(places: readonly Place[]): readonly Place[] {
  const surest: Place[] = [];
  for (const place of places.toSorted(byConfidence)) {
    if (surest.length === maxPlaces) break;
    if (!surest.some((other) => isRepeated(other, place))) surest.push(place);
  }
  return surest;
}

function isRepeated(a: EvidencePlace, b: EvidencePlace): boolean {
  if (a.versionId !== b.versionId) return false;
  return a.start === b.start || (a.start < b.end && b.start < a.end);
}

/** The name of each node in the form of `nameOf`. */
export async function readNames(
  db: Database,
  projectId: string,
  nodes: Iterable<number>,
): Promise<ReadonlyMap<number, string>> {
  const rows = await selectIn<{ node_id: number; type: string; name_key: string }>(
    db,
    nodes,
    (list) => sql`select node_id, type, name_key from entities
      where project_id = ${projectId} and node_id in (${list})`,
  );
  return new Map(rows.map((row) => [row.node_id, nameOf({ type: row.type, key: row.name_key })]));
}

/** The facts of these chunks, without chunks that are not visible; keyed by `textOfKey`. */
export async function readFacts(
  db: Database,
  projectId: string,
  keys: readonly ChunkKey[],
): Promise<ReadonlyMap<string, FactsOfChunk>> {
  const distinct = new Map(keys.map((key) => [textOfKey(key), key]));
  const facts = new Map<string, FactsOfChunk>();
  for (const part of partsOf([...distinct.values()], maxListed)) {
    const { rows } = await sql<FactsRow>`
      select c.version_id, c.position, c.facts from chunk_facts as c
      cross join document_versions as v
      where v.project_id = c.project_id and v.version_id = c.version_id and v.state = 'live'
        and c.project_id = ${projectId} and ${matchesKey("c", part)}`.execute(db);
    for (const row of rows)
      facts.set(textOfKey({ versionId: row.version_id, position: row.position }), toFacts(row));
  }
  return facts;
}

/** An edge between two nodes. */
export interface NodeEdge {
  readonly source: number;
  readonly target: number;
  readonly type: string;
}

/** The most confident places of each edge in these chunks, keyed by `keyOfEdge`. */
export async function readRelationshipPlacesIn(
  db: Database,
  projectId: string,
  input: {
    readonly edges: readonly NodeEdge[];
    readonly within: readonly ChunkKey[];
    readonly asOf: Moment | null;
  },
): Promise<ReadonlyMap<string, readonly RelationshipPlace[]>> {
  const { edges, within, asOf } = input;
  const names = await readNames(
    db,
    projectId,
    edges.flatMap(({ source, target }) => [source, target]),
  );
  const facts = await readFacts(db, projectId, within.slice(0, maxWithin));
  return new Map(
    edges.map(({ source, target, type }) => {
      const edge = { source: names.get(source) ?? "", target: names.get(target) ?? "", type };
      const found = [...facts.values()].flatMap((chunk) => statementsOf(chunk, edge, { asOf }));
      return [keyOfEdge(source, target, type), surestSentences(found)];
    }),
  );
}

/** Tables of the chunks that state an edge. */
export type EdgeTable = "relationship_places" | "proposal_places";

export interface StatementOptions {
  /** Default: relationships. */
  readonly table?: EdgeTable | undefined;
  /** Of relationships, only statements that hold then. Default: all. */
  readonly asOf?: Moment | null | undefined;
}

/** The sentences of the chunk that state the edge; its ends are in the form of `nameOf`. */
export function statementsOf(
  chunk: FactsOfChunk | undefined,
  edge: { source: string; target: string; type: string },
  { table = "relationship_places", asOf = null }: StatementOptions,
): readonly RelationshipPlace[] {
  if (chunk === undefined) return [];
  const { versionId, position, facts } = chunk;
  const edges: readonly (StoredEdge | StoredProposal)[] =
    table === "relationship_places" ? facts.edges : (facts.proposals ?? []);
  return edges
    .filter(
      ([source, target, type, , , , , validFrom, validTo]) =>
        type === edge.type &&
        nameAt(chunk, source) === edge.source &&
        nameAt(chunk, target) === edge.target &&
        (asOf === null || holdsAt({ validFrom, validTo }, asOf)),
    )
    .map(([, , , start, end, confidence, extractor, validFrom, validTo, ...names]) => ({
      versionId,
      position,
      start,
      end,
      confidence: probabilityOf(confidence),
      extractor,
      validFrom,
      validTo,
      ...writtenNames(names),
    }));
}

/** Of a proposal. */
function writtenNames([sourceName, targetName]: readonly unknown[]) {
  return typeof sourceName === "string" && typeof targetName === "string" ? { sourceName, targetName } : {};
}
