/**
 * Reads the relationships and chunks from which nodes of upper levels are built and described.
 * graph-ledger.ts explains `cross join`.
 */
import { sql } from "kysely";
import type { Fact } from "../../../domain/ontology-schema.ts";
import type { EntityChunk, ListedEntity, ListedRelationship } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { padded } from "./bulk.ts";
import { toNumbers } from "./graph-entities.ts";
import { nameOf } from "./graph-facts.ts";
import { keyOfEdge } from "./graph-places.ts";
import { readEntityNodes } from "./graph-relationships.ts";
import { isPresent, type Row, selectFor, valuesOf } from "./graph-sql.ts";

const maxKinds = 256;
/** Limits of names of a project that are read, and of the places of their relationships. */
const maxNames = 10_000;
const maxPlaces = 50_000;
const maxListed = 10_000;
/** Limit of chunks of one name. */
const maxChunks = 64;
/** Separators of rows and columns in an aggregated list of numbers. */
const rowEnd = ",";
const columnEnd = ":";
const { lit } = sql;

interface EndsRow {
  readonly type: string;
  readonly source_id: number;
  readonly source_key: string;
  readonly source_type: string;
  readonly target_id: number;
  readonly target_key: string;
  readonly target_type: string;
  readonly chunks: number;
}

export async function listRelationships(
  db: Database,
  { projectId, kinds, limit }: { projectId: string; kinds: readonly Fact[]; limit: number },
): Promise<readonly ListedRelationship[]> {
  const listed = kinds.slice(0, maxKinds);
  if (listed.length === 0) return [];
  const rows = listed.map(({ type, sourceType, targetType }): Row => [type, sourceType, targetType]);
  const columns = { type: "text", source_type: "text", target_type: "text" } as const;
  const sources = padded([...new Set(listed.map(({ sourceType }) => sourceType))]);
  // Rows are read in the order of an index, so that neither limit has to sort first.
  const found = await sql<EndsRow>`
    select r.type, s.entity_id as source_id, s.name_key as source_key, s.type as source_type,
      t.entity_id as target_id, t.name_key as target_key, t.type as target_type, r.chunks
    from (
      select source_node, target_node, type, count(*) as chunks from (
        select p.source_node, p.target_node, p.type from (
          select node_id from entities
          where project_id = ${projectId} and type in (${sql.join(sources)}) and entity_id is not null
          order by name_key, type limit ${lit(maxNames)}) as n
        cross join relationship_places as p
        where p.project_id = ${projectId} and p.source_node = n.node_id
        limit ${lit(maxPlaces)}) as places
      group by source_node, target_node, type) as r
    cross join entities as s
    cross join entities as t
    where s.project_id = ${projectId} and s.node_id = r.source_node
      and t.project_id = ${projectId} and t.node_id = r.target_node
      and (r.type, s.type, t.type) in (values ${valuesOf(columns, padded(rows))})`.execute(db);
  return mergeByEntity(found.rows).slice(0, Math.min(limit, maxListed));
}

/** Merges the relationships that several names of the same two entities have. */
function mergeByEntity(rows: readonly EndsRow[]): readonly ListedRelationship[] {
  const keys = new Map<number, string>();
  const addKey = (id: number, key: string) => {
    const known = keys.get(id);
    if (known === undefined || key < known) keys.set(id, key);
  };
  for (const row of rows) {
    addKey(row.source_id, row.source_key);
    addKey(row.target_id, row.target_key);
  }
  const endOf = (id: number, type: string): ListedEntity => ({
    entityId: String(id),
    type,
    key: keys.get(id) ?? "",
  });
  const found = new Map<string, ListedRelationship>();
  for (const row of rows) {
    const id = keyOfEdge(row.source_id, row.target_id, row.type);
    const chunks = (found.get(id)?.chunks ?? 0) + row.chunks;
    const source = endOf(row.source_id, row.source_type);
    found.set(id, { type: row.type, source, target: endOf(row.target_id, row.target_type), chunks });
  }
  return [...found.values()]
    .map((relationship) => ({ relationship, order: orderOf(relationship) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ relationship }) => relationship);
}

function orderOf({ source, target, type }: ListedRelationship): string {
  return `${nameOf({ type: source.key, key: target.key })}\n${type}\n${nameOf({ type: source.type, key: target.type })}`;
}

export async function listChunksOf(
  db: Database,
  { projectId, entityIds }: { projectId: string; entityIds: readonly string[] },
): Promise<readonly EntityChunk[]> {
  const ids = toNumbers(entityIds);
  const entityOfNode = await readEntityNodes(db, projectId, ids);
  const rows = await selectFor<{ node_id: number; places: string | null }>(db, {
    columns: { node_id: "bigint" },
    rows: [...entityOfNode.keys()].map((node): Row => [node]),
    query: sql`select k.node_id,
      (select string_agg(version_id || ${lit(columnEnd)} || position, ${lit(rowEnd)}) from (
        select version_id, position from entity_places as p
        where p.project_id = ${projectId} and p.node_id = k.node_id and ${isPresent(projectId, "p.version_id")}
        order by version_id, position limit ${lit(maxChunks)}) as first) as places
      from keys as k where k.node_id is not null`,
  });
  const found = new Map<string, EntityChunk>();
  for (const { node_id: node, places } of rows) {
    const entityId = String(entityOfNode.get(node) ?? node);
    for (const place of places?.split(rowEnd) ?? []) {
      const [versionId = 0, position = 0] = place.split(columnEnd).map(Number);
      found.set(`${entityId} ${place}`, { entityId, versionId, position });
    }
  }
  return [...found.values()].sort(
    (a, b) => a.versionId - b.versionId || a.position - b.position || Number(a.entityId) - Number(b.entityId),
  );
}
