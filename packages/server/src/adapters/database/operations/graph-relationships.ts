/** Relationships between entities, with the sentences that state them. */
import { type RawBuilder, sql } from "kysely";
import type { Relationship, RelationshipPlace } from "../../../ports/graph-store.ts";
import type { RelationshipEvidenceRow, RelationshipRow } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { padded, partsOf } from "./bulk.ts";
import { confidenceUnits } from "./graph-evidence.ts";

const maxEntities = 100;
/** Names of all entities, and relationships of one name in each direction, that are looked at. */
const maxNodes = 300;
const maxPerNode = 50;
/** Names with more relationships than are looked at, between which all are. */
const maxFull = 32;
const maxBetween = 1_000;
const maxListed = 512;
const maxPlaces = 3;
/** Selects in one statement. */
const maxSelects = 50;

type NodeEdgeRow = Pick<RelationshipRow, "source_node" | "target_node" | "type" | "chunks">;

interface EdgeRow extends NodeEdgeRow {
  readonly source_id: string;
  readonly target_id: string;
}

interface Edge {
  readonly type: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly chunks: number;
  /** The entity's names that the evidence is about. */
  readonly rows: readonly EdgeRow[];
}

export async function findRelationships(
  db: Database,
  input: { projectId: string; entityIds: readonly string[]; limit: number },
): Promise<readonly Relationship[]> {
  const ids = [...new Set(input.entityIds)].slice(0, maxEntities);
  if (ids.length === 0) return [];
  const rows = await readEdges(db, input.projectId, ids);
  const edges = [...Map.groupBy(rows, (row) => `${row.source_id} ${row.target_id} ${row.type}`).values()].map(
    toEdge,
  );
  const given = new Set(ids);
  const isBetween = (edge: Edge) => given.has(edge.sourceId) && given.has(edge.targetId);
  const best = edges
    .toSorted(
      (a, b) =>
        Number(isBetween(b)) - Number(isBetween(a)) ||
        b.chunks - a.chunks ||
        (nameOf(a) < nameOf(b) ? -1 : 1),
    )
    .slice(0, input.limit);
  const places = await readPlaces(db, input.projectId, best);
  return best.map((edge) => {
    const evidence = places.get(nameOf(edge)) ?? [];
    const { type, sourceId, targetId, chunks } = edge;
    return { type, sourceId, targetId, chunks, confidence: evidence[0]?.confidence ?? 0, evidence };
  });
}

function nameOf({ sourceId, targetId, type }: Pick<Edge, "sourceId" | "targetId" | "type">): string {
  return `${sourceId} ${targetId} ${type}`;
}

function toEdge(rows: readonly EdgeRow[]): Edge {
  const [first] = rows as readonly [EdgeRow]; // Groups are not empty.
  const chunks = rows.reduce((sum, row) => sum + row.chunks, 0);
  return { type: first.type, sourceId: first.source_id, targetId: first.target_id, chunks, rows };
}

/** The best supported relationships of each of the entities' names, in the order of an index, and all between the names. */
async function readEdges(
  db: Database,
  projectId: string,
  ids: readonly string[],
): Promise<readonly EdgeRow[]> {
  const nodes = await sql<{ node_id: string }>`
    select node_id from entities where project_id = ${projectId} and entity_id in (${sql.join(padded(ids))})
    order by chunks desc, node_id limit ${maxNodes}`.execute(db);
  const around = (own: string, other: string) => (node: string) =>
    sql`select * from (
    select source_node, target_node, type, chunks from relationships
    where project_id = ${projectId} and ${sql.ref(own)} = ${node}
    order by chunks desc, ${sql.ref(other)}, type limit ${sql.lit(maxPerNode)}) as found`;
  const names = nodes.rows.map((row) => row.node_id);
  const rows = await selectAll<NodeEdgeRow>(db, [
    ...names.map(around("source_node", "target_node")),
    ...names.map(around("target_node", "source_node")),
  ]);
  const isFull = (side: "source_node" | "target_node", node: string) =>
    rows.filter((row) => row[side] === node).length >= maxPerNode;
  const sources = names.filter((node) => isFull("source_node", node));
  const targets = names.filter((node) => isFull("target_node", node));
  const between = await readBetween(db, projectId, { sources, targets });
  const all = new Map(
    [...rows, ...between].map((row) => [`${row.source_node} ${row.target_node} ${row.type}`, row]),
  );
  return withEntities(db, projectId, [...all.values()]);
}

/** What both ends' lists may have cut off. */
async function readBetween(
  db: Database,
  projectId: string,
  { sources, targets }: { sources: readonly string[]; targets: readonly string[] },
): Promise<readonly NodeEdgeRow[]> {
  if (sources.length === 0 || targets.length === 0) return [];
  const values = (nodes: readonly string[]) =>
    sql.join(padded(nodes.slice(0, maxFull)).map((node) => sql`(cast(${node} as text))`));
  const { rows } = await sql<NodeEdgeRow>`
    with s (node) as (values ${values(sources)}), t (node) as (values ${values(targets)})
    select r.source_node, r.target_node, r.type, r.chunks
    from s
    cross join t
    cross join relationships as r
    where r.project_id = ${projectId} and r.source_node = s.node and r.target_node = t.node
    order by r.chunks desc, r.source_node, r.target_node, r.type limit ${maxBetween}`.execute(db);
  return rows;
}

async function withEntities(
  db: Database,
  projectId: string,
  rows: readonly NodeEdgeRow[],
): Promise<readonly EdgeRow[]> {
  const nodes = new Set(rows.flatMap((row) => [row.source_node, row.target_node]));
  const entities = new Map<string, string>();
  for (const part of partsOf([...nodes], maxListed)) {
    const found = await sql<{ node_id: string; entity_id: string }>`
      select node_id, entity_id from entities
      where project_id = ${projectId} and node_id in (${sql.join(padded(part))})`.execute(db);
    for (const row of found.rows) entities.set(row.node_id, row.entity_id);
  }
  return rows.flatMap((row) => {
    const [source, target] = [entities.get(row.source_node), entities.get(row.target_node)];
    return source === undefined || target === undefined
      ? []
      : [{ ...row, source_id: source, target_id: target }];
  });
}

type PlaceRow = Pick<
  RelationshipEvidenceRow,
  | "version_id"
  | "position"
  | "start_offset"
  | "end_offset"
  | "confidence"
  | "extractor"
  | "valid_from"
  | "valid_to"
> & { readonly edge: number };

/** The surest places of each edge, by its name. */
async function readPlaces(
  db: Database,
  projectId: string,
  edges: readonly Edge[],
): Promise<ReadonlyMap<string, readonly RelationshipPlace[]>> {
  const selects = edges.flatMap((edge, at) =>
    edge.rows.map(
      (row) => sql`select * from (
        select cast(${at} as bigint) as edge, e.version_id, e.position, e.start_offset, e.end_offset,
          e.confidence, e.extractor, e.valid_from, e.valid_to
        from relationship_evidence as e
        cross join document_versions as v
        where v.project_id = e.project_id and v.version_id = e.version_id and v.state = 'live'
      and e.project_id = ${projectId} and e.source_node = ${row.source_node}
          and e.target_node = ${row.target_node} and e.type = ${row.type}
        order by e.confidence desc, e.version_id, e.position
        limit ${sql.lit(maxPlaces)}) as found`,
    ),
  );
  const rows = await selectAll<PlaceRow>(db, selects);
  rows.sort((a, b) => b.confidence - a.confidence || a.version_id - b.version_id || a.position - b.position);
  const places = Map.groupBy(rows, (row) => row.edge);
  return new Map(
    edges.map((edge, at) => [nameOf(edge), (places.get(at) ?? []).slice(0, maxPlaces).map(toPlace)]),
  );
}

function toPlace(row: PlaceRow): RelationshipPlace {
  return {
    versionId: row.version_id,
    position: row.position,
    start: row.start_offset,
    end: row.end_offset,
    confidence: row.confidence / confidenceUnits,
    extractor: row.extractor,
    validFrom: row.valid_from,
    validTo: row.valid_to,
  };
}

/** The rows of selects that have each a limit of their own, in no order. */
export async function selectAll<Row>(db: Database, selects: readonly RawBuilder<unknown>[]): Promise<Row[]> {
  const all: Row[] = [];
  for (const part of partsOf(selects, maxSelects)) {
    const { rows } = await sql<Row>`${sql.join(part, sql` union all `)}`.execute(db);
    all.push(...rows);
  }
  return all;
}
