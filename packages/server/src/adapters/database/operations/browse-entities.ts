/** Entities for browsing a graph. graph-ledger.ts explains `cross join`. */
import { type RawBuilder, sql } from "kysely";
import { UNTYPED } from "../../../domain/graph.ts";
import type { EntityCursor } from "../../../ports/graph-browser.ts";
import type { EvidencePlace, ListedEntity } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { padded } from "./bulk.ts";
import { findCorrected } from "./correction-rules.ts";
import { readFirstChunks } from "./first-chunks.ts";
import { toNumbers } from "./graph-entities.ts";
import { mentionsOf, readFacts, readNames, supportOf } from "./graph-quotes.ts";
import { readEntityNodes } from "./graph-relationships.ts";
import { contains } from "./graph-sql.ts";
import { isStorableName } from "./graph-text.ts";

const maxListed = 500;
const maxTotal = 10_000;
/** Sorts after every character that can follow a prefix. */
const lastCharacter = "\u{10ffff}";
/** Limit of names of one entity. */
const maxNames = 300;
/** Limit of places in one chunk. */
const maxInChunk = 8;
const { lit } = sql;

interface EntityRow {
  readonly node_id: number;
  readonly type: string;
  readonly name_key: string;
}

function toListed({ node_id: nodeId, type, name_key: key }: EntityRow): ListedEntity {
  return { entityId: String(nodeId), type, key };
}

export async function searchEntities(
  db: Database,
  input: {
    projectId: string;
    part: string;
    type: string | null;
    page: { readonly limit: number; readonly offset: number };
  },
): Promise<{ entities: readonly ListedEntity[]; total: number }> {
  const { projectId, part, type, page } = input;
  if ((part !== "" && !isStorableName(part)) || (type !== null && !isStorableName(type))) {
    return { entities: [], total: 0 };
  }
  if (part === "" && type !== null) return listOfType(db, { projectId, type, page });
  const ofType = type === null ? sql`` : sql`and e.type = ${type}`;
  const corrected = part === "" ? [] : await findCorrected(db, projectId, part);
  const matching =
    part === ""
      ? sql`from entities as e where e.project_id = ${projectId} and e.entity_id = e.node_id`
      : sql`from (${matchesOf(input, corrected)}) as h cross join entities as e
          where e.project_id = ${projectId} and e.node_id = h.entity_id and e.entity_id = e.node_id ${ofType}`;
  const matchRank =
    part === ""
      ? sql``
      : sql`case when e.name_key = ${part} then 0 when ${hasPrefix("e.name_key", part)} then 1 else 2 end,`;
  const { rows } = await sql<EntityRow>`
    select e.node_id, e.type, e.name_key ${matching} order by ${matchRank} e.name_key, e.type
    limit ${Math.min(page.limit, maxListed)} offset ${Math.min(page.offset, maxTotal)}`.execute(db);
  const entities = rows.map(toListed);
  // A first page that is not full contains all entities, so no count is needed.
  if (page.offset === 0 && rows.length < Math.min(page.limit, maxListed))
    return { entities, total: rows.length };
  const counted = await sql<{ total: number }>`
    select count(*) as total from (select 1 ${matching} limit ${lit(maxTotal)}) as counted`.execute(db);
  return { entities, total: counted.rows[0]?.total ?? 0 };
}

/** Names are read until the last one that can be on the page: the number of all is known, and none of an unknown type is looked for. */
async function listOfType(
  db: Database,
  { projectId, type, page }: { projectId: string; type: string; page: { limit: number; offset: number } },
): Promise<{ entities: readonly ListedEntity[]; total: number }> {
  const counted = await sql<{ count: number }>`
    select count from entity_types where project_id = ${projectId} and type = ${type}`.execute(db);
  const count = counted.rows[0]?.count ?? 0;
  const total = Math.min(count, maxTotal);
  const offset = Math.min(page.offset, maxTotal);
  const limit = Math.min(page.limit, maxListed, count - offset);
  if (limit <= 0) return { entities: [], total };
  const { rows } = await sql<EntityRow>`
    select node_id, type, name_key from entities
    where project_id = ${projectId} and entity_id = node_id and type = ${type}
    order by name_key, type limit ${limit} offset ${offset}`.execute(db);
  return { entities: rows.map(toListed), total };
}

/**
 * The entities with a matching name. Names with the prefix are one range of the index. For other matches, the
 * names of the project are scanned in the index alone, until `maxTotal` matches are found.
 */
function matchesOf(
  { projectId, part, type }: Parameters<typeof searchEntities>[1],
  corrected: readonly string[],
): RawBuilder<unknown> {
  // A name without a type can belong to an entity that has one.
  const ofType = type === null ? sql`` : sql`and n.type in (${type}, ${UNTYPED})`;
  const named = (condition: RawBuilder<unknown>) => sql`select entity_id from (
    select n.entity_id from entities as n
    where n.project_id = ${projectId} and n.entity_id is not null and ${condition} ${ofType}
    order by n.name_key, n.type limit ${lit(maxTotal)})`;
  const before =
    corrected.length === 0
      ? sql``
      : sql` union ${named(sql`n.name_key in (${sql.join(padded(corrected))})`)} as named_before`;
  return sql`${named(hasPrefix("n.name_key", part))} as with_prefix union ${named(contains(sql`n.name_key`, part))} as containing${before}`;
}

function hasPrefix(column: string, part: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} >= ${part} and ${sql.ref(column)} < ${part + lastCharacter})`;
}

/** Ordered like an index, so that no rows are sorted. */
export async function listEntitiesAfter(
  db: Database,
  { projectId, after, limit }: { projectId: string; after: EntityCursor | null; limit: number },
): Promise<readonly ListedEntity[]> {
  const afterCursor = after === null ? sql`` : sql`and (name_key, type) > (${after.key}, ${after.type})`;
  const { rows } = await sql<EntityRow>`
    select node_id, type, name_key from entities
    where project_id = ${projectId} and entity_id = node_id ${afterCursor}
    order by name_key, type limit ${Math.min(limit, maxListed)}`.execute(db);
  return rows.map(toListed);
}

export async function readEntityEvidence(
  db: Database,
  { projectId, entityId, limit }: { projectId: string; entityId: string; limit: number },
): Promise<readonly EvidencePlace[]> {
  const nodes = [...(await readEntityNodes(db, projectId, toNumbers([entityId]))).keys()].slice(0, maxNames);
  if (nodes.length === 0) return [];
  const keys = await readFirstChunks(db, projectId, { nodes, limit, condition: sql`1 = 1` });
  const names = new Set((await readNames(db, projectId, nodes)).values());
  const facts = [...(await readFacts(db, projectId, keys)).values()];
  return facts
    .sort((a, b) => a.versionId - b.versionId || a.position - b.position)
    .flatMap((chunk) => {
      const mentions = mentionsOf(chunk, names);
      return firstOf(mentions.length > 0 ? mentions : supportOf(chunk, names));
    });
}

function firstOf(places: readonly EvidencePlace[]): readonly EvidencePlace[] {
  return places.toSorted((a, b) => a.start - b.start).slice(0, maxInChunk);
}
