/** What the associations of an entity are computed from. graph-ledger.ts explains `cross join`. */
import { sql } from "kysely";
import type { EntityKey } from "../../../domain/graph.ts";
import type { EntitySupport, MentionedChunk, PlacedMention } from "../../../ports/graph-browser.ts";
import type { Database } from "../schema.ts";
import { padded } from "./bulk.ts";
import { readFirstChunks } from "./first-chunks.ts";
import { readEntityIds, toNumbers } from "./graph-entities.ts";
import type { FactsOfChunk } from "./graph-evidence.ts";
import { nameOf } from "./graph-facts.ts";
import { readFacts } from "./graph-quotes.ts";
import { readEntityNodes } from "./graph-relationships.ts";
import { type Row, selectFor } from "./graph-sql.ts";

/** Reading the mentions of one chunk decodes all of its facts. */
const maxChunks = 256;
/** Limits of names: of one entity, and over all entities of a call. */
const maxNames = 64;
const maxNodes = 512;
/** Limit of chunks of one name that are counted. */
const maxCounted = 1_000;
/** Separator of rows in an aggregated list. */
const rowEnd = ",";
const { lit } = sql;

export async function readMentionsAround(
  db: Database,
  { projectId, entityId, limit }: { projectId: string; entityId: string; limit: number },
): Promise<readonly MentionedChunk[]> {
  const nodes = await readEntityNodes(db, projectId, toNumbers([entityId]));
  if (nodes.size === 0) return [];
  const keys = await readFirstChunks(db, projectId, {
    nodes: [...nodes.keys()].slice(0, maxNames),
    limit: Math.min(limit, maxChunks),
    condition: sql`p.forms <> ''`,
  });
  const chunks = [...(await readFacts(db, projectId, keys)).values()].sort(
    (a, b) => a.versionId - b.versionId || a.position - b.position,
  );
  const entities = await readEntityIds(db, projectId, chunks.flatMap(mentionedNames));
  return chunks.map((chunk) => {
    const { versionId, position } = chunk;
    return { versionId, position, mentions: mentionsIn(chunk, entities) };
  });
}

function mentionedNames({ facts }: FactsOfChunk): readonly EntityKey[] {
  return [...new Set(facts.mentions.map(([node]) => node))].map((node) => keyAt({ facts }, node));
}

function mentionsIn(chunk: FactsOfChunk, entities: ReadonlyMap<string, string>): readonly PlacedMention[] {
  return chunk.facts.mentions
    .flatMap(([node, start, end]) => {
      const name = keyAt(chunk, node);
      const entityId = entities.get(nameOf(name));
      return entityId === undefined ? [] : [{ entityId, key: name.key, start, end }];
    })
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

function keyAt({ facts }: Pick<FactsOfChunk, "facts">, node: number): EntityKey {
  const [type = "", key = ""] = facts.nodes[node] ?? [];
  return { type, key };
}

export async function readSupport(
  db: Database,
  { projectId, entityId, otherIds }: { projectId: string; entityId: string; otherIds: readonly string[] },
): Promise<readonly EntitySupport[]> {
  const own = [...(await readEntityNodes(db, projectId, toNumbers([entityId]))).keys()].slice(0, maxNames);
  const others = await readEntityNodes(db, projectId, toNumbers(otherIds));
  if (own.length === 0 || others.size === 0) return [];
  const list = sql.join(padded(own));
  const rows = await selectFor<{ node_id: number; chunks: number; related: number }>(db, {
    columns: { node_id: "bigint" },
    rows: [...others.keys()].slice(0, maxNodes).map((node): Row => [node]),
    query: sql`select k.node_id,
      (select count(*) from (
        select 1 from entity_places as p
        where p.project_id = ${projectId} and p.node_id = k.node_id and p.forms <> ''
        limit ${lit(maxCounted)}) as counted) as chunks,
      case when exists (select 1 from relationship_places as r
          where r.project_id = ${projectId} and r.source_node = k.node_id and r.target_node in (${list}))
        or exists (select 1 from relationship_places as r
          where r.project_id = ${projectId} and r.target_node = k.node_id and r.source_node in (${list})) then 1 else 0 end as related
      from keys as k where k.node_id is not null`,
  });
  const byEntity = Map.groupBy(rows, (row) => others.get(row.node_id) ?? 0);
  const ofSeveral = [...byEntity.values()]
    .map((nodes) => nodes.filter(({ chunks }) => chunks > 0))
    .filter((nodes) => nodes.length > 1);
  const listed = await listChunks(
    db,
    projectId,
    ofSeveral.flat().map((row) => row.node_id),
  );
  return [...byEntity].map(([id, nodes]) => {
    // A chunk that mentions the entity by two names counts once, as it does for `readMentionsAround`.
    const distinct = new Set(nodes.flatMap((row) => listed.get(row.node_id) ?? []));
    const chunks = distinct.size || nodes.reduce((sum, row) => sum + row.chunks, 0);
    return { entityId: String(id), chunks, isRelated: nodes.some(({ related }) => related === 1) };
  });
}

/** The chunks that mention each name, as far as they are counted. */
async function listChunks(
  db: Database,
  projectId: string,
  nodes: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await selectFor<{ node_id: number; places: string | null }>(db, {
    columns: { node_id: "bigint" },
    rows: nodes.map((node): Row => [node]),
    query: sql`select k.node_id, (select string_agg(version_id || ':' || position, ${lit(rowEnd)}) from (
        select version_id, position from entity_places as p
        where p.project_id = ${projectId} and p.node_id = k.node_id and p.forms <> ''
        order by version_id, position limit ${lit(maxCounted)}) as counted) as places
      from keys as k where k.node_id is not null`,
  });
  return new Map(rows.map((row) => [row.node_id, row.places?.split(rowEnd) ?? []]));
}

export async function countChunks(db: Database, { projectId }: { projectId: string }): Promise<number> {
  const { rows } = await sql<{ chunks: number }>`
    select cast(coalesce(sum(chunk_count), 0) as bigint) as chunks from document_versions
    where project_id = ${projectId} and state = 'live'`.execute(db);
  return rows[0]?.chunks ?? 0;
}
