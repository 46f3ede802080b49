/**
 * Reads entities. An entity consists of the nodes that name the same thing. graph-ledger.ts explains `cross
 * join`.
 */
import { sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import type { EntityKey } from "../../../domain/graph.ts";
import type { Entity, EntityInPassage, PlaceOptions } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { padded } from "./bulk.ts";
import { matchesKey } from "./chunk-keys.ts";
import { withCorrected } from "./correction-rules.ts";
import { type FactsRow, toFacts } from "./graph-evidence.ts";
import { formEnd, nameOf } from "./graph-facts.ts";
import { type EntityPlaces, readEntityPlaces, readEntityPlacesIn } from "./graph-quotes.ts";
import { type Row, selectFor } from "./graph-sql.ts";
import { isStorableName } from "./graph-text.ts";

const maxKeys = 500;
const maxEntities = 100;
/** Limit of matching entities that are ranked by support. */
const maxRanked = 200;
/** Limit of nodes over all entities of a call. */
const maxNodes = 300;
/** Per name: chunks that are counted, and chunks whose written forms are counted. */
const maxCounted = 250;
const maxForms = 64;
/** Per name: property values that are read, and how many of the best supported ones are kept. */
const maxValuesRead = 400;
const maxValues = 100;
const maxAliases = 20;
const maxProperties = 50;
/** Separators of rows and columns in an aggregated list; stored texts contain neither. */
const rowEnd = "\n";
const columnEnd = "\t";
const { lit } = sql;

/** Ids are numbers in the database. Malformed ids are dropped, and those after so many. */
export function toNumbers(entityIds: readonly string[], most: number = maxEntities): readonly number[] {
  const ids = [...new Set(entityIds)].slice(0, most);
  return ids.filter((id) => /^[1-9]\d{0,15}$/.test(id)).map(Number);
}

export async function findEntitiesByKeys(
  db: Database,
  input: { projectId: string; keys: readonly string[]; limit: number } & PlaceOptions,
): Promise<readonly Entity[]> {
  const asked = [...new Set(input.keys)].filter(isStorableName).slice(0, maxKeys);
  const listed = (await withCorrected(db, input.projectId, asked)).slice(0, maxKeys);
  if (listed.length === 0) return [];
  const { rows } = await sql<{ entity_id: number }>`
    select entity_id from entities
    where project_id = ${input.projectId} and name_key in (${sql.join(padded(listed))}) and entity_id is not null
    order by name_key, type limit ${lit(maxRanked)}`.execute(db);
  const found = await readNodes(db, input.projectId, [...new Set(rows.map((row) => row.entity_id))]);
  const support = [...found.values()]
    .map((nodes) => ({ nodes, chunks: nodes.reduce((sum, node) => sum + node.chunks, 0) }))
    .sort((a, b) => b.chunks - a.chunks || (orderOf(a.nodes) < orderOf(b.nodes) ? -1 : 1));
  const best = support.slice(0, Math.min(input.limit, maxEntities)).map(({ nodes }) => nodes);
  return assembleEntities(db, input, best);
}

function orderOf(nodes: readonly NodeRow[]): string {
  return nodes.map((node) => `${node.name_key}\n${node.type}`).sort()[0] ?? "";
}

export async function readEntities(
  db: Database,
  input: { projectId: string; entityIds: readonly string[] } & PlaceOptions,
): Promise<readonly Entity[]> {
  const ids = toNumbers(input.entityIds);
  if (ids.length === 0) return [];
  const found = await readNodes(db, input.projectId, ids);
  return assembleEntities(
    db,
    input,
    ids.flatMap((id) => {
      const nodes = found.get(id);
      return nodes === undefined ? [] : [nodes];
    }),
  );
}

interface NodeRow {
  readonly node_id: number;
  readonly entity_id: number;
  readonly type: string;
  readonly name_key: string;
  readonly chunks: number;
}

/** The nodes of each entity, in the order of their numbers, with their support; keyed by entity. */
async function readNodes(
  db: Database,
  projectId: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly NodeRow[]>> {
  if (ids.length === 0) return new Map();
  // Of one entity, SQLite would read the whole project, which is in this order.
  const list = sql.join(ids.length === 1 ? [...ids, ...ids] : padded(ids));
  const { rows } = await sql<NodeRow>`
    select e.node_id, e.entity_id, e.type, e.name_key, (select count(*) from (
      select 1 from entity_places as p where p.project_id = ${projectId} and p.node_id = e.node_id limit ${lit(maxCounted)}) as counted) as chunks
    from (
      select * from entities where project_id = ${projectId} and node_id in (${list}) and entity_id = node_id
      union all
      select * from entities where project_id = ${projectId} and entity_id in (${list}) and entity_id <> node_id
      order by entity_id, node_id limit ${lit(maxNodes)}) as e`.execute(db);
  return Map.groupBy(rows, (row) => row.entity_id);
}

async function assembleEntities(
  db: Database,
  options: { projectId: string } & PlaceOptions,
  entities: readonly (readonly NodeRow[])[],
): Promise<readonly Entity[]> {
  if (entities.length === 0) return [];
  const details = await readDetails(
    db,
    options.projectId,
    entities.flat().map((node) => node.node_id),
  );
  const places = await readPlaces(db, options, entities);
  return entities.map((nodes) => toEntity(nodes, details, places.get(mainOf(nodes))));
}

/** Keyed by the main node of each entity. */
async function readPlaces(
  db: Database,
  { projectId, withPlaces, within }: { projectId: string } & PlaceOptions,
  entities: readonly (readonly NodeRow[])[],
): Promise<ReadonlyMap<number, EntityPlaces>> {
  if (withPlaces === false) return new Map();
  if (within === undefined) return readEntityPlaces(db, projectId, entities.map(mainOf));
  const nodes = entities.map((group) => [mainOf(group), ...group.map((node) => node.node_id)]);
  return readEntityPlacesIn(db, projectId, { entities: nodes, within });
}

/** The best supported node of an entity; of equal ones the same whatever the order in which they were stored. */
function mainOf(nodes: readonly NodeRow[]): number {
  return nodes.reduce((best, node) =>
    node.chunks > best.chunks || (node.chunks === best.chunks && orderOf([node]) < orderOf([best]))
      ? node
      : best,
  ).node_id;
}

interface DetailRow {
  readonly node_id: number;
  readonly forms: string | null;
  readonly properties: string | null;
  /** The number of the last correction that names it, and the name. */
  readonly shown: string | null;
}

/** The database aggregates the lists: one row per node costs a fraction of one row per place. */
async function readDetails(
  db: Database,
  projectId: string,
  nodes: readonly number[],
): Promise<ReadonlyMap<number, DetailRow>> {
  const rows = await selectFor<DetailRow>(db, {
    columns: { node_id: "bigint" },
    rows: nodes.map((node): Row => [node]),
    query: sql`select k.node_id,
      (select string_agg(forms || ${lit(columnEnd)} || times, ${lit(rowEnd)}) from (
        select forms, count(*) as times from (
          select forms from entity_places as p where p.project_id = ${projectId} and p.node_id = k.node_id
          order by version_id, position limit ${lit(maxForms)}) as first
        where forms <> '' group by forms) as counted) as forms,
      (select string_agg(property || ${lit(columnEnd)} || value || ${lit(columnEnd)} || chunks, ${lit(rowEnd)}) from (
        select property, value, chunks from (
          select property, value, chunks from entity_properties as p where p.project_id = ${projectId} and p.node_id = k.node_id
          order by property, value limit ${lit(maxValuesRead)}) as first
        order by chunks desc, property, value limit ${lit(maxValues)}) as best) as properties,
      (select c.seq || ${lit(columnEnd)} || c.shown from entities as e
        cross join correction_names as c
        where e.project_id = ${projectId} and e.node_id = k.node_id and c.project_id = e.project_id and c.name_key = e.name_key and c.type = e.type
          and c.role = 'shown'
        order by c.seq desc limit 1) as shown
      from keys as k where k.node_id is not null`,
  });
  return new Map(rows.map((row) => [row.node_id, row]));
}

function toEntity(
  nodes: readonly NodeRow[],
  details: ReadonlyMap<number, DetailRow>,
  places: EntityPlaces | undefined,
): Entity {
  const [first] = nodes as readonly [NodeRow]; // `Map.groupBy` makes no empty groups.
  // A name can be there with a type and without.
  const keys = [...new Set(nodes.map((node) => node.name_key))].sort();
  const own = nodes.flatMap((node) => details.get(node.node_id) ?? []);
  const forms = byCount(
    own
      .flatMap((row) => parseList(row.forms))
      .flatMap(([texts, count]) => texts.split(formEnd).map((form) => [form, count] as const)),
  );
  const values = byCount(own.flatMap(({ properties }) => parseList(properties)));
  const shown = shownName(own);
  const written = forms.map(([form]) => form).filter((form) => form !== shown);
  const [name = keys[0] ?? "", ...aliases] = shown === null ? written : [shown, ...written];
  const properties = values
    .map(([text, chunks]) => {
      const [property = "", value = ""] = text.split(columnEnd);
      return { property, value, chunks, places: places?.ofProperty(property, value) ?? [] };
    })
    .sort(
      (a, b) => compareUnits(a.property, b.property) || b.chunks - a.chunks || compareUnits(a.value, b.value),
    );
  return {
    entityId: String(first.entity_id),
    type: (nodes.find((node) => node.node_id === first.entity_id) ?? first).type,
    name,
    aliases: aliases.slice(0, maxAliases),
    keys,
    properties: properties.slice(0, maxProperties),
    chunks: nodes.reduce((sum, node) => sum + node.chunks, 0),
    mentions: places?.mentions ?? [],
  };
}

/** What the last of the corrections says. */
function shownName(rows: readonly DetailRow[]): string | null {
  const all = rows.flatMap(({ shown }) => {
    if (shown === null) return [];
    const end = shown.indexOf(columnEnd);
    return [{ seq: Number(shown.slice(0, end)), name: shown.slice(end + 1) }];
  });
  return all.sort((a, b) => b.seq - a.seq)[0]?.name ?? null;
}

/** Splits each row into the text before the last column, and the last column, which is a count. */
function parseList(list: string | null): readonly (readonly [text: string, count: number])[] {
  if (list === null) return [];
  return list.split(rowEnd).map((row) => {
    const end = row.lastIndexOf(columnEnd);
    return [row.slice(0, end), Number(row.slice(end + 1))];
  });
}

/** Sums the counts of equal texts; the highest sum first. */
function byCount(rows: readonly (readonly [text: string, count: number])[]) {
  const sums = new Map<string, number>();
  for (const [text, count] of rows) sums.set(text, (sums.get(text) ?? 0) + count);
  return [...sums].sort(([a, one], [b, other]) => other - one || compareUnits(a, b));
}

function compareUnits(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

export async function findEntitiesIn(
  db: Database,
  { projectId, passages, limit }: { projectId: string; passages: readonly ChunkKey[]; limit: number },
): Promise<readonly EntityInPassage[]> {
  if (passages.length === 0) return [];
  const { rows } = await sql<FactsRow>`
    select c.version_id, c.position, c.facts
    from chunk_facts as c
    cross join document_versions as v
    where v.project_id = c.project_id and v.version_id = c.version_id and v.state = 'live'
      and c.project_id = ${projectId} and ${matchesKey("c", passages.slice(0, maxKeys))}`.execute(db);
  const chunks = rows
    .map(toFacts)
    .sort((a, b) => a.versionId - b.versionId || a.position - b.position)
    .flatMap(({ facts, versionId, position }) =>
      facts.nodes
        .slice(0, facts.supported)
        .map(([type, key]) => ({ versionId, position, type, key }))
        .sort((a, b) => compareUnits(a.key, b.key) || compareUnits(a.type, b.type)),
    )
    .slice(0, limit);
  const entities = await readEntityIds(db, projectId, chunks);
  return chunks.flatMap((chunk) => {
    const entityId = entities.get(nameOf(chunk));
    return entityId === undefined ? [] : [{ ...chunk, entityId }];
  });
}

/** The entity of each live node among these names, keyed by `nameOf`. */
export async function readEntityIds(
  db: Database,
  projectId: string,
  names: readonly EntityKey[],
): Promise<ReadonlyMap<string, string>> {
  const keys = new Map(names.map((name) => [nameOf(name), [name.key, name.type] as Row]));
  const found = await selectFor<{ name_key: string; type: string; entity_id: number }>(db, {
    columns: { name_key: "text", type: "text" },
    rows: [...keys.values()],
    query: sql`select e.name_key, e.type, e.entity_id from keys as k
      cross join entities as e
      where e.project_id = ${projectId} and e.name_key = k.name_key and e.type = k.type and e.entity_id is not null`,
  });
  return new Map(found.map((row) => [nameOf({ type: row.type, key: row.name_key }), String(row.entity_id)]));
}
