/** Proposals for browsing a graph: relationships that are not sure enough to be in it. graph-ledger.ts explains `cross join`. */
import { type RawBuilder, sql } from "kysely";
import type {
  EntityCursor,
  Proposal,
  ProposalEnd,
  ProposalSource,
  RelationshipCursor,
  RelationshipSearch,
} from "../../../ports/graph-browser.ts";
import type { Database } from "../schema.ts";
import { withEvidence } from "./browse-relationships.ts";
import { padded } from "./bulk.ts";
import { toNumbers } from "./graph-entities.ts";
import { confidenceUnits } from "./graph-facts.ts";
import { readEntityNodes } from "./graph-relationships.ts";
import { isOf } from "./graph-sql.ts";
import { isStorableName } from "./graph-text.ts";

const maxListed = 500;
/** Limit of proposals between names that are read: all those of a large project would block other readers. No list has more. */
const maxNodeEdges = 10_000;
const maxSources = 100;
const { lit } = sql;

/** A proposal between two entities, or names that are none, put together from the proposals between their names. */
interface ProposalRow {
  /** Numbers of entities, or of names that are no entity. */
  readonly source: number;
  readonly target: number;
  readonly source_entity: number | null;
  readonly target_entity: number | null;
  readonly source_type: string;
  readonly target_type: string;
  readonly type: string;
  readonly chunks: number;
  readonly confidence: number;
  /** Pairs of node numbers: "source target", joined by ",". */
  readonly parts: string;
  readonly total: number;
}

export async function searchProposals(
  db: Database,
  input: {
    projectId: string;
    page: { readonly limit: number; readonly offset: number };
  } & RelationshipSearch,
): Promise<{ proposals: readonly Proposal[]; total: number }> {
  const { projectId, type, entityId, page } = input;
  if (type !== null && !isStorableName(type)) return { proposals: [], total: 0 };
  const ofType = type === null ? sql`` : sql`and p.type = ${type}`;
  const between =
    entityId === null ? betweenAll(projectId, ofType) : await betweenOne(db, { projectId, entityId, ofType });
  if (between === null) return { proposals: [], total: 0 };
  // The count is in the same statement, which gives one row without a proposal for a page behind the last one.
  const { rows } = await sql<ProposalRow | { readonly source: null; readonly total: number }>`
    with groups as (${byEntity(between)})
    select counted.total, listed.* from (select count(*) as total from groups) as counted
    left join (
      select * from groups order by confidence desc, chunks desc, source_key, target_key, type, source, target
      limit ${Math.min(page.limit, maxListed)} offset ${page.offset}) as listed on true
    order by confidence desc, chunks desc, source_key, target_key, type, source, target`.execute(db);
  const listed = rows.filter((row) => row.source !== null);
  return { proposals: await toProposals(db, projectId, listed), total: rows[0]?.total ?? 0 };
}

/** Ordered like an index, so that the limit always keeps the same rows. */
function betweenAll(projectId: string, ofType: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select p.source_node, p.target_node, p.type, count(*) as chunks, max(p.confidence) as confidence
    from entities as n
    cross join proposal_places as p
    where n.project_id = ${projectId} and p.source_node = n.node_id ${ofType}
    group by n.name_key, n.type, p.source_node, p.target_node, p.type
    order by n.name_key, n.type, p.source_node, p.target_node, p.type limit ${lit(maxNodeEdges)}`;
}

/** null when the entity does not belong to the project. */
async function betweenOne(
  db: Database,
  { projectId, entityId, ofType }: { projectId: string; entityId: string; ofType: RawBuilder<unknown> },
): Promise<RawBuilder<unknown> | null> {
  const nodes = [...(await readEntityNodes(db, projectId, toNumbers([entityId]))).keys()];
  if (nodes.length === 0) return null;
  const list = sql.join(nodes);
  const columns = sql`p.source_node, p.target_node, p.type, p.confidence`;
  return sql`select p.source_node, p.target_node, p.type, count(*) as chunks, max(p.confidence) as confidence from (
      select ${columns} from proposal_places as p where p.source_node in (${list}) ${ofType}
      union all
      select ${columns} from proposal_places as p
        where p.target_node in (${list}) and p.source_node not in (${list}) ${ofType}) as p
    group by p.source_node, p.target_node, p.type
    order by count(*) desc, p.source_node, p.target_node, p.type limit ${lit(maxNodeEdges)}`;
}

/** Without those between two entities that have a relationship of the type. */
function byEntity(between: RawBuilder<unknown>, condition = sql``): RawBuilder<unknown> {
  return sql`select coalesce(s.entity_id, s.node_id) as source, coalesce(t.entity_id, t.node_id) as target,
      min(s.entity_id) as source_entity, min(t.entity_id) as target_entity,
      min(s.type) as source_type, min(t.type) as target_type,
      min(s.name_key) as source_key, min(t.name_key) as target_key, p.type,
      cast(sum(p.chunks) as bigint) as chunks, max(p.confidence) as confidence,
      string_agg(p.source_node || ' ' || p.target_node, ',') as parts
    from (${between}) as p
    cross join entities as s
    cross join entities as t
    where s.node_id = p.source_node and t.node_id = p.target_node ${condition}
      and not exists (select 1 from (${nodesOf("s")}) as a
        cross join (${nodesOf("t")}) as b
        cross join relationship_places as r
        where r.source_node = a.node_id and r.target_node = b.node_id and r.type = p.type)
    group by coalesce(s.entity_id, s.node_id), coalesce(t.entity_id, t.node_id), p.type`;
}

/** The names of the entity that a node belongs to; `<>` matches the condition of the partial index. */
function nodesOf(end: "s" | "t"): RawBuilder<unknown> {
  const entity = sql.ref(`${end}.entity_id`);
  return sql`select ${entity} as node_id union all
    select m.node_id from entities as m where m.entity_id = ${entity} and m.entity_id <> m.node_id`;
}

export async function listProposalSources(
  db: Database,
  { projectId, after, limit }: { projectId: string; after: EntityCursor | null; limit: number },
): Promise<readonly ProposalSource[]> {
  const afterCursor = after === null ? sql`` : sql`and (name_key, type) > (${after.key}, ${after.type})`;
  const { rows } = await sql<{ node_id: number; type: string; name_key: string }>`
    select node_id, type, name_key from entities
    where project_id = ${projectId} and (entity_id is null or entity_id = node_id) ${afterCursor}
    order by name_key, type limit ${Math.min(limit, maxListed)}`.execute(db);
  return rows.map(({ node_id: nodeId, type, name_key: key }) => ({ nodeId: String(nodeId), type, key }));
}

export async function listProposalsFrom(
  db: Database,
  input: {
    projectId: string;
    nodeIds: readonly string[];
    after: RelationshipCursor | null;
    limit: number;
  },
): Promise<readonly Proposal[]> {
  const { projectId, after } = input;
  const sources = toNumbers(input.nodeIds).slice(0, maxSources);
  if (sources.length === 0) return [];
  const list = sql.join(padded(sources));
  const between = sql`select p.source_node, p.target_node, p.type, count(*) as chunks, max(p.confidence) as confidence
    from (
      select node_id from entities
        where node_id in (${list}) and (entity_id is null or entity_id = node_id) and ${isOf(projectId)}
      union all
      select node_id from entities
        where entity_id in (${list}) and entity_id <> node_id and ${isOf(projectId)}) as n
    cross join proposal_places as p
    where p.source_node = n.node_id
    group by p.source_node, p.target_node, p.type`;
  const afterCursor =
    after === null
      ? sql``
      : sql`and (coalesce(s.entity_id, s.node_id), coalesce(t.entity_id, t.node_id), p.type) >
          (cast(${Number(after.sourceId)} as bigint), cast(${Number(after.targetId)} as bigint), ${after.type})`;
  const { rows } = await sql<ProposalRow>`
    select g.* from (${byEntity(between, afterCursor)}) as g
    order by g.source, g.target, g.type limit ${Math.min(input.limit, maxListed)}`.execute(db);
  return toProposals(db, projectId, rows);
}

async function toProposals(
  db: Database,
  projectId: string,
  rows: readonly ProposalRow[],
): Promise<readonly Proposal[]> {
  const proposals = await withEvidence(db, projectId, rows, "proposal_places");
  return proposals.flatMap(({ row, evidence }): readonly Proposal[] => {
    const [best] = evidence;
    const { type, chunks, confidence } = row;
    return [
      {
        ...{ type, chunks, confidence: confidence / confidenceUnits, evidence },
        source: endOf(row.source, {
          entity: row.source_entity,
          type: row.source_type,
          name: best?.sourceName,
        }),
        target: endOf(row.target, {
          entity: row.target_entity,
          type: row.target_type,
          name: best?.targetName,
        }),
      },
    ];
  });
}

function endOf(
  node: number,
  { entity, type, name = "" }: { entity: number | null; type: string; name: string | undefined },
): ProposalEnd {
  return { entityId: entity === null ? null : String(entity), nodeId: String(node), type, name };
}
