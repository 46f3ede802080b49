/** Lists of entities: those of a project, and the members of nodes of upper levels. */
import { sql } from "kysely";
import type { EntityMember, ListedEntity } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { toNumbers } from "./graph-entities.ts";
import { memberType } from "./graph-facts.ts";
import { readEntityNodes } from "./graph-relationships.ts";
import { selectIn } from "./graph-sql.ts";

const maxListed = 500;
const maxTotal = 10_000;
/** Limit of members of one name. */
const maxMembers = 500;
/** Sorts after every character of a normal form, by code point. */
const lastCharacter = "\u{10ffff}";
const { lit } = sql;

/**
 * Ordered like an index. A type filter skips rows of other types while it reads, and counts matches up to
 * `maxTotal`.
 */
export async function listEntities(
  db: Database,
  input: {
    projectId: string;
    type?: string;
    prefix?: string;
    page: { readonly limit: number; readonly offset: number };
  },
): Promise<{ readonly entities: readonly ListedEntity[]; readonly total: number }> {
  const { projectId, type, prefix = "", page } = input;
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`;
  const within =
    prefix === "" ? sql`` : sql`and name_key >= ${prefix} and name_key < ${prefix + lastCharacter}`;
  const matching = sql`from entities
    where project_id = ${projectId} and entity_id = node_id ${within} ${ofType}`;
  const { rows } = await sql<{ node_id: number; type: string; name_key: string }>`
    select node_id, type, name_key ${matching} order by name_key, type
    limit ${Math.min(page.limit, maxListed)} offset ${Math.min(page.offset, maxTotal)}`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*) as total from (select 1 ${matching} limit ${lit(maxTotal)}) as counted`.execute(db);
  return {
    entities: rows.map((row) => ({ entityId: String(row.node_id), type: row.type, key: row.name_key })),
    total: counted.rows[0]?.total ?? 0,
  };
}

export async function readMembers(
  db: Database,
  { projectId, ...input }: { projectId: string; entityIds: readonly string[]; limit: number },
): Promise<readonly EntityMember[]> {
  const ids = toNumbers(input.entityIds);
  const entityOfNode = await readEntityNodes(db, projectId, ids);
  const rows = await selectIn<{ parent: number; member: number; name_key: string; chunks: number }>(
    db,
    entityOfNode.keys(),
    (list) => sql`select r.source_node as parent, e.entity_id as member, e.name_key, r.chunks from (
        select source_node, target_node, count(*) as chunks from relationship_places
        where project_id = ${projectId} and source_node in (${list}) and type = ${lit(memberType)}
        group by source_node, target_node
        order by chunks desc, source_node, target_node limit ${lit(maxMembers)}) as r
      cross join entities as e
      where e.project_id = ${projectId} and e.node_id = r.target_node`,
  );
  const order = new Map(ids.map((id, at) => [id, at]));
  const members = new Map<string, { parent: number; member: number; name: string; chunks: number }>();
  for (const row of rows) {
    const parent = entityOfNode.get(row.parent) ?? row.parent;
    const key = `${parent} ${row.member}`;
    const known = members.get(key) ?? { parent, member: row.member, name: row.name_key, chunks: 0 };
    const [name = ""] = [row.name_key, known.name].sort();
    members.set(key, { ...known, name, chunks: known.chunks + row.chunks });
  }
  return [...members.values()]
    .sort(
      (a, b) =>
        (order.get(a.parent) ?? 0) - (order.get(b.parent) ?? 0) ||
        b.chunks - a.chunks ||
        (a.name < b.name ? -1 : 1),
    )
    .slice(0, input.limit)
    .map(({ parent, member, chunks }) => ({ parentId: String(parent), memberId: String(member), chunks }));
}
