/** Entities: the nodes that are one thing, put together. For `cross join` see graph-ledger.ts. */
import { type RawBuilder, sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import type { Entity, EntityInPassage, EntityProperty, EvidencePlace } from "../../../ports/graph-store.ts";
import type {
  EntityEvidenceRow,
  EntityNameRow,
  EntityPropertyRow,
  EntityRow,
  PropertyEvidenceRow,
} from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { padded } from "./bulk.ts";
import { confidenceUnits } from "./graph-evidence.ts";
import { selectAll } from "./graph-relationships.ts";
import { isStorableName } from "./graph-text.ts";
import { matchesKey } from "./index.ts";

const maxKeys = 500;
const maxEntities = 100;
/** Rows of all names, and of all properties, of one entity that are read. */
const maxRows = 200;
const maxAliases = 20;
const maxProperties = 50;
const maxPlaces = 3;

export async function findEntitiesByKeys(
  db: Database,
  { projectId, keys, limit }: { projectId: string; keys: readonly string[]; limit: number },
): Promise<readonly Entity[]> {
  const listed = [...new Set(keys)].filter(isStorableName).slice(0, maxKeys);
  if (listed.length === 0) return [];
  const { rows } = await sql<{ entity_id: string }>`
    select entity_id, cast(sum(chunks) as bigint) as support from entities
    where project_id = ${projectId} and entity_id in (
      select entity_id from entities where project_id = ${projectId} and name_key in (${sql.join(padded(listed))}))
    group by entity_id
    order by support desc, entity_id
    limit ${Math.min(limit, maxEntities)}`.execute(db);
  return readEntities(db, { projectId, entityIds: rows.map((row) => row.entity_id) });
}

export async function findEntitiesIn(
  db: Database,
  { projectId, passages, limit }: { projectId: string; passages: readonly ChunkKey[]; limit: number },
): Promise<readonly EntityInPassage[]> {
  if (passages.length === 0) return [];
  const { rows } = await sql<Pick<EntityRow, "type" | "name_key" | "entity_id"> & PlaceRow>`
    select c.version_id, c.position, e.type, e.name_key, e.entity_id
    from chunk_entities as c
    cross join document_versions as v
    cross join entities as e
    where v.project_id = c.project_id and v.version_id = c.version_id and v.state = 'live'
      and e.project_id = c.project_id and e.node_id = c.node_id
      and c.project_id = ${projectId} and ${matchesKey("c", passages.slice(0, maxKeys))}
    order by c.version_id, c.position, e.name_key, e.type
    limit ${limit}`.execute(db);
  return rows.map((row) => ({
    versionId: row.version_id,
    position: row.position,
    type: row.type,
    key: row.name_key,
    entityId: row.entity_id,
  }));
}

interface PlaceRow {
  readonly version_id: number;
  readonly position: number;
}

export async function readEntities(
  db: Database,
  { projectId, entityIds }: { projectId: string; entityIds: readonly string[] },
): Promise<readonly Entity[]> {
  const ids = [...new Set(entityIds)].slice(0, maxEntities);
  if (ids.length === 0) return [];
  const nodes = await sql<EntityRow>`
    select * from entities where project_id = ${projectId} and entity_id in (${sql.join(padded(ids))})
    order by entity_id, node_id`.execute(db);
  const names = await selectEach<EntityNameRow>(db, ids, (id) => nameRows(projectId, id));
  const properties = await selectEach<EntityPropertyRow>(db, ids, (id) => propertyRows(projectId, id));
  const byEntity = Map.groupBy(nodes.rows, (row) => row.entity_id);
  const main = [...byEntity.values()].map((own) =>
    own.reduce((best, row) => (row.chunks > best.chunks ? row : best)),
  );
  const sources = await selectEach<PropertyEvidenceRow, EntityRow>(db, main, (row) =>
    propertyPlaceRows(projectId, row),
  );
  const mentions = await selectEach<EntityEvidenceRow, EntityRow>(db, main, (row) =>
    mentionRows(projectId, row),
  );
  return ids.flatMap((id) => {
    const own = byEntity.get(id) ?? [];
    const [first] = own;
    if (first === undefined) return [];
    const keys = own.map((row) => row.name_key).sort();
    const forms = writtenForms(names.get(id) ?? []);
    const [name = keys[0] ?? "", ...aliases] = forms;
    return [
      {
        entityId: id,
        type: first.type,
        name,
        aliases: aliases.slice(0, maxAliases),
        keys,
        properties: mergeProperties(properties.get(id) ?? [], sources.get(id) ?? []),
        chunks: own.reduce((sum, row) => sum + row.chunks, 0),
        mentions: bestMentions(mentions.get(id) ?? []),
      },
    ];
  });
}

/** One limited select for each entity; the rows by entity. */
async function selectEach<Row, Of = string>(
  db: Database,
  each: readonly Of[],
  select: (one: Of) => RawBuilder<unknown>,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const rows = await selectAll<Row & { readonly entity_id: string }>(
    db,
    each.map((one) => sql`select * from (${select(one)}) as found`),
  );
  return Map.groupBy(rows, (row) => row.entity_id);
}

function nameRows(projectId: string, entityId: string) {
  return sql`select e.entity_id, n.name, n.mentions from entities as e
    cross join entity_names as n
    where n.project_id = e.project_id and n.node_id = e.node_id
      and e.project_id = ${projectId} and e.entity_id = ${entityId}
    order by n.mentions desc, n.name, n.node_id limit ${sql.lit(maxRows)}`;
}

function propertyRows(projectId: string, entityId: string) {
  return sql`select e.entity_id, p.property, p.value, p.chunks from entities as e
    cross join entity_properties as p
    where p.project_id = e.project_id and p.node_id = e.node_id
      and e.project_id = ${projectId} and e.entity_id = ${entityId}
    order by p.chunks desc, p.property, p.value, p.node_id limit ${sql.lit(maxRows)}`;
}

/** Of the best supported name, like `mentionRows`. */
function propertyPlaceRows(projectId: string, { node_id, entity_id }: EntityRow) {
  return sql`select ${entity_id} as entity_id, p.property, p.value, p.version_id, p.position, p.start_offset, p.end_offset
    from property_evidence as p
    cross join document_versions as v
    where v.project_id = p.project_id and v.version_id = p.version_id and v.state = 'live'
      and p.project_id = ${projectId} and p.node_id = ${node_id}
    order by p.property, p.value, p.version_id, p.position limit ${sql.lit(maxRows)}`;
}

/** Of the entity's best supported name, in the order of an index: the mentions of a frequent entity are many. */
function mentionRows(projectId: string, { node_id, entity_id }: EntityRow) {
  return sql`select ${entity_id} as entity_id, m.version_id, m.position, m.start_offset, m.end_offset, m.confidence
    from entity_evidence as m
    cross join document_versions as v
    where v.project_id = m.project_id and v.version_id = m.version_id and v.state = 'live'
      and m.project_id = ${projectId} and m.node_id = ${node_id}
    order by m.confidence desc, m.version_id, m.position, m.start_offset limit ${sql.lit(maxPlaces)}`;
}

/** Distinct forms of all names of an entity, the most frequent first. */
function writtenForms(rows: readonly EntityNameRow[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { name, mentions } of rows) counts.set(name, (counts.get(name) ?? 0) + mentions);
  return [...counts]
    .sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1))
    .map(([name]) => name);
}

function mergeProperties(
  rows: readonly EntityPropertyRow[],
  sources: readonly PropertyEvidenceRow[],
): readonly EntityProperty[] {
  const keyOf = (row: { property: string; value: string }) => JSON.stringify([row.property, row.value]);
  const places = Map.groupBy(sources, keyOf);
  const merged = [...Map.groupBy(rows, keyOf)].map(([key, group]) => {
    const { property, value } = group[0]!; // Groups are not empty.
    const chunks = group.reduce((sum, row) => sum + row.chunks, 0);
    const found = (places.get(key) ?? []).toSorted(
      (a, b) => a.version_id - b.version_id || a.position - b.position || a.start_offset - b.start_offset,
    );
    return { property, value, chunks, places: found.slice(0, maxPlaces).map(toPlace) };
  });
  return merged
    .sort(
      (a, b) => compareUnits(a.property, b.property) || b.chunks - a.chunks || compareUnits(a.value, b.value),
    )
    .slice(0, maxProperties);
}

function compareUnits(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function bestMentions(rows: readonly EntityEvidenceRow[]): readonly EvidencePlace[] {
  return rows
    .toSorted(
      (a, b) =>
        b.confidence - a.confidence ||
        a.version_id - b.version_id ||
        a.position - b.position ||
        a.start_offset - b.start_offset,
    )
    .map((row) => ({ ...toPlace(row), confidence: row.confidence / confidenceUnits }));
}

function toPlace(row: PlaceRow & { readonly start_offset: number; readonly end_offset: number }) {
  return {
    versionId: row.version_id,
    position: row.position,
    start: row.start_offset,
    end: row.end_offset,
  };
}
