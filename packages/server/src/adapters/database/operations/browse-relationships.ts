/** Relationships for browsing a graph. graph-ledger.ts explains `cross join`. */
import { type RawBuilder, sql } from "kysely";
import type { RelationshipCursor, RelationshipSearch } from "../../../ports/graph-browser.ts";
import type { Relationship, RelationshipPlace } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { toNumbers } from "./graph-entities.ts";
import { memberType } from "./graph-facts.ts";
import { keyOfEdge } from "./graph-places.ts";
import { type EdgeTable, type NodeEdge, readRelationshipPlaces } from "./graph-quotes.ts";
import { readEntityNodes } from "./graph-relationships.ts";
import { isStorableName } from "./graph-text.ts";

const maxListed = 500;
/**
 * Limit of relationships between names that are read: all those of a large project would block other readers. No list has
 * more.
 */
const maxNodeEdges = 10_000;
const maxPlaces = 3;
const { lit } = sql;

/** A relationship between two entities, aggregated from the relationships between their names. */
interface EdgeRow {
  readonly source: number;
  readonly target: number;
  readonly type: string;
  readonly chunks: number;
  /** Pairs of node numbers: "source target", joined by ",". */
  readonly parts: string;
  readonly total: number;
}

export async function searchRelationships(
  db: Database,
  input: {
    projectId: string;
    page: { readonly limit: number; readonly offset: number };
  } & RelationshipSearch,
): Promise<{ relationships: readonly Relationship[]; total: number }> {
  const { projectId, type, entityId, page } = input;
  if (type !== null && !isStorableName(type)) return { relationships: [], total: 0 };
  const ofType = type === null ? sql`r.type <> ${lit(memberType)}` : sql`r.type = ${type}`;
  const between =
    entityId === null ? betweenAll(projectId, ofType) : await betweenOne(db, { projectId, entityId, ofType });
  if (between === null) return { relationships: [], total: 0 };
  // The count is in the same statement, which gives one row without an edge for a page behind the last one.
  const { rows } = await sql<EdgeRow | (Pick<EdgeRow, "total"> & { readonly source: null })>`
    with edges as (
      select s.entity_id as source, t.entity_id as target, p.type, cast(sum(p.chunks) as bigint) as chunks,
        string_agg(p.source_node || ' ' || p.target_node, ',') as parts,
        min(s.name_key) as source_key, min(t.name_key) as target_key
      from (${between}) as p
      cross join entities as s
      cross join entities as t
      where s.node_id = p.source_node and t.node_id = p.target_node
      group by s.entity_id, t.entity_id, p.type)
    select counted.total, listed.* from (select count(*) as total from edges) as counted
    left join (
      select * from edges order by chunks desc, source_key, target_key, type, source, target
      limit ${Math.min(page.limit, maxListed)} offset ${page.offset}) as listed on true
    order by chunks desc, source_key, target_key, type, source, target`.execute(db);
  const edges = rows.filter((row) => row.source !== null);
  return { relationships: await toRelationships(db, projectId, edges), total: rows[0]?.total ?? 0 };
}

/** Ordered like an index, so that the limit always keeps the same rows. */
function betweenAll(projectId: string, ofType: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select r.source_node, r.target_node, r.type, count(*) as chunks from entities as n
    cross join relationship_places as r
    where n.project_id = ${projectId} and n.entity_id is not null and r.source_node = n.node_id and ${ofType}
    group by n.name_key, n.type, r.source_node, r.target_node, r.type
    order by n.name_key, n.type, r.source_node, r.target_node, r.type limit ${lit(maxNodeEdges)}`;
}

/** null when the entity does not belong to the project. */
async function betweenOne(
  db: Database,
  { projectId, entityId, ofType }: { projectId: string; entityId: string; ofType: RawBuilder<unknown> },
): Promise<RawBuilder<unknown> | null> {
  const nodes = [...(await readEntityNodes(db, projectId, toNumbers([entityId]))).keys()];
  if (nodes.length === 0) return null;
  const list = sql.join(nodes);
  // The condition on the source in the second half prevents counting an edge between two names of the entity
  // twice.
  return sql`select r.source_node, r.target_node, r.type, count(*) as chunks from (
      select source_node, target_node, type from relationship_places as r
        where r.source_node in (${list}) and ${ofType}
      union all
      select source_node, target_node, type from relationship_places as r
        where r.target_node in (${list}) and r.source_node not in (${list}) and ${ofType}) as r
    group by r.source_node, r.target_node, r.type
    order by count(*) desc, r.source_node, r.target_node, r.type limit ${lit(maxNodeEdges)}`;
}

export async function listRelationshipsFrom(
  db: Database,
  input: {
    projectId: string;
    sourceIds: readonly string[];
    after: RelationshipCursor | null;
    limit: number;
  },
): Promise<readonly Relationship[]> {
  const { projectId, after } = input;
  const nodes = [...(await readEntityNodes(db, projectId, toNumbers(input.sourceIds))).keys()];
  if (nodes.length === 0) return [];
  const afterCursor =
    after === null
      ? sql``
      : sql`and (s.entity_id, t.entity_id, p.type) > (cast(${Number(after.sourceId)} as bigint),
          cast(${Number(after.targetId)} as bigint), ${after.type})`;
  const { rows } = await sql<EdgeRow>`
    select s.entity_id as source, t.entity_id as target, p.type, cast(sum(p.chunks) as bigint) as chunks,
      string_agg(p.source_node || ' ' || p.target_node, ',') as parts, 0 as total
    from (select r.source_node, r.target_node, r.type, count(*) as chunks from relationship_places as r
      where r.source_node in (${sql.join(nodes)}) and r.type <> ${lit(memberType)}
      group by r.source_node, r.target_node, r.type) as p
    cross join entities as s
    cross join entities as t
    where s.node_id = p.source_node and t.node_id = p.target_node ${afterCursor}
    group by s.entity_id, t.entity_id, p.type
    order by s.entity_id, t.entity_id, p.type limit ${Math.min(input.limit, maxListed)}`.execute(db);
  return toRelationships(db, projectId, rows);
}

async function toRelationships(
  db: Database,
  projectId: string,
  rows: readonly EdgeRow[],
): Promise<readonly Relationship[]> {
  const edges = await withEvidence(db, projectId, rows);
  return edges.map(({ row, evidence }) => {
    return {
      type: row.type,
      sourceId: String(row.source),
      targetId: String(row.target),
      chunks: row.chunks,
      confidence: evidence[0]?.confidence ?? null,
      evidence,
    };
  });
}

/** The rows with their sentences, the surest first. */
export async function withEvidence<Row extends EdgeParts>(
  db: Database,
  projectId: string,
  rows: readonly Row[],
  table?: EdgeTable,
): Promise<readonly { readonly row: Row; readonly evidence: readonly RelationshipPlace[] }[]> {
  const edges = rows.map((row) => ({ row, parts: partsOfEdge(row) }));
  const places = await readRelationshipPlaces(
    db,
    projectId,
    edges.flatMap(({ parts }) => parts),
    table,
  );
  return edges.map(({ row, parts }) => {
    const evidence = parts
      .flatMap((part) => places.get(keyOfEdge(part.source, part.target, part.type)) ?? [])
      .sort((a, b) => b.confidence - a.confidence || a.versionId - b.versionId || a.position - b.position)
      .slice(0, maxPlaces);
    return { row, evidence };
  });
}

type EdgeParts = Pick<EdgeRow, "parts" | "type">;

/** The pairs of nodes of a row. */
function partsOfEdge({ parts, type }: EdgeParts): readonly NodeEdge[] {
  return parts.split(",").map((part) => {
    const [source, target] = part.split(" ");
    return { source: Number(source), target: Number(target), type };
  });
}
