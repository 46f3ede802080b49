/**
 * Places: rows per node that say which chunks of live versions support it. They are added and removed with
 * the visibility of versions.
 */
import { sql } from "kysely";
import type { Database } from "../schema.ts";
import { formEnd, timingColumns } from "./graph-facts.ts";
import type { NumberedChunk } from "./graph-nodes.ts";
import { type Columns, deleteFrom, insertInto, type Row, selectFor } from "./graph-sql.ts";

export interface EdgeKey {
  readonly key: string;
  readonly source: number;
  readonly target: number;
  readonly type: string;
  /** The first version that states it. */
  readonly versionId: number;
}

export interface Places {
  readonly entities: readonly Row[];
  readonly properties: readonly Row[];
  readonly relationships: readonly Row[];
  readonly proposals: readonly Row[];
  /** Each edge of `relationships` once. */
  readonly edges: readonly EdgeKey[];
}

const chunkColumns: Columns = { node_id: "bigint", version_id: "bigint", position: "bigint" };
const entityColumns: Columns = { ...chunkColumns, forms: "text" };
const edgeColumns: Columns = { source_node: "bigint", target_node: "bigint", type: "text" };
const edgePlaceColumns: Columns = { ...edgeColumns, version_id: "bigint", position: "bigint" };
const sureEdgeColumns: Columns = { ...edgePlaceColumns, confidence: "bigint" };
const timedEdgeColumns: Columns = {
  ...sureEdgeColumns,
  ...{ valid_from: "text", valid_to: "text", known_until: "text", turn_at: "text" },
};
const valueColumns: Columns = { node_id: "bigint", property: "text", value: "text" };
const propertyColumns: Columns = { ...valueColumns, version_id: "bigint", position: "bigint" };

/** Rows are in the order of the tables' keys, so that a batch visits each database page once. */
export function placesOf(chunks: readonly NumberedChunk[]): Places {
  const entities: Row[] = [];
  const properties: Row[] = [];
  const relationships: Row[] = [];
  const proposals: Row[] = [];
  const edges = new Map<string, EdgeKey>();
  for (const { versionId, position, facts, ids } of chunks) {
    const forms = Map.groupBy(facts.mentions, ([node]) => node);
    for (let node = 0; node < facts.supported; node++) {
      const written = new Set((forms.get(node) ?? []).map(([, , , name]) => name));
      entities.push([ids[node] ?? 0, versionId, position, [...written].join(formEnd)]);
    }
    for (const [node, , , property, value] of facts.properties) {
      properties.push([ids[node] ?? 0, property, value, versionId, position]);
    }
    for (const edge of facts.edges) {
      const [from, to, type, , , confidence, , validFrom, validTo] = edge;
      const [source, target] = [ids[from] ?? 0, ids[to] ?? 0];
      const bounds = [validFrom, validTo, ...timingColumns(edge)];
      relationships.push([source, target, type, versionId, position, confidence, ...bounds]);
      const key = keyOfEdge(source, target, type);
      if (!edges.has(key)) edges.set(key, { key, source, target, type, versionId });
    }
    for (const [from, to, type, , , confidence] of facts.proposals ?? []) {
      proposals.push([ids[from] ?? 0, ids[to] ?? 0, type, versionId, position, confidence]);
    }
  }
  const sorted = (rows: Row[]) => rows.sort(compareRows);
  return {
    entities: sorted(entities),
    properties: sorted(properties),
    relationships: sorted(relationships),
    proposals: sorted(proposals),
    edges: [...edges.values()],
  };
}

function compareRows(a: Row, b: Row): number {
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

export function keyOfEdge(source: number, target: number, type: string): string {
  return `${source} ${target} ${type}`;
}

export async function addPlaces(db: Database, projectId: string, places: Places): Promise<void> {
  const add = (table: string, columns: Columns, rows: readonly Row[]) =>
    insertInto(db, projectId, { table, columns, rows });
  await add("entity_places", entityColumns, places.entities);
  await add("property_places", propertyColumns, places.properties);
  await countProperties(db, projectId, { places: places.properties, step: 1 });
  await add("relationship_places", timedEdgeColumns, places.relationships);
  await add("proposal_places", sureEdgeColumns, places.proposals);
}

export async function removePlaces(db: Database, projectId: string, places: Places): Promise<void> {
  const remove = (table: string, columns: Columns, rows: readonly Row[]) => {
    const length = Object.keys(columns).length;
    return deleteFrom(db, projectId, { table, columns, rows: rows.map((row) => row.slice(0, length)) });
  };
  await remove("entity_places", chunkColumns, places.entities);
  await remove("property_places", propertyColumns, places.properties);
  await countProperties(db, projectId, { places: places.properties, step: -1 });
  await remove("relationship_places", edgePlaceColumns, places.relationships);
  await remove("proposal_places", edgePlaceColumns, places.proposals);
}

async function countProperties(
  db: Database,
  projectId: string,
  { places, step }: { readonly places: readonly Row[]; readonly step: number },
): Promise<void> {
  const values = Map.groupBy(places, ([node, property, value]) => JSON.stringify([node, property, value]));
  const counted = await insertInto<{ node_id: number; property: string; value: string; chunks: number }>(
    db,
    projectId,
    {
      table: "entity_properties",
      columns: { ...valueColumns, chunks: "bigint" },
      rows: [...values.values()].map((rows): Row => [...(rows[0]?.slice(0, 3) ?? []), rows.length * step]),
      end: sql`on conflict (project_id, node_id, property, value)
      do update set chunks = entity_properties.chunks + excluded.chunks
      returning node_id, property, value, chunks`,
    },
  );
  const unsupported = counted.filter((row) => row.chunks === 0);
  await deleteFrom(db, projectId, {
    table: "entity_properties",
    columns: valueColumns,
    rows: unsupported.map((row): Row => [row.node_id, row.property, row.value]),
  });
}

/** The keys of the edges that at least one chunk states. */
export async function findEdges(
  db: Database,
  projectId: string,
  edges: readonly Omit<EdgeKey, "versionId">[],
): Promise<ReadonlySet<string>> {
  const rows = await selectFor<{ source_node: number; target_node: number; type: string }>(db, {
    columns: edgeColumns,
    rows: edges.map(({ source, target, type }): Row => [source, target, type]),
    query: sql`select k.source_node, k.target_node, k.type from keys as k
      where exists (select 1 from relationship_places as r
        where r.project_id = ${projectId} and r.source_node = k.source_node and r.target_node = k.target_node and r.type = k.type)`,
  });
  return new Set(rows.map((row) => keyOfEdge(row.source_node, row.target_node, row.type)));
}
