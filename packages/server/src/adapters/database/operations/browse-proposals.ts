/** Proposals for browsing a graph: relationships that are not sure enough to be in it. */
import { sql } from "kysely";
import type {
  EdgePlace,
  EntityCursor,
  Proposal,
  ProposalEnd,
  ProposalSource,
} from "../../../ports/graph-browser.ts";
import type { GraphTypes } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { listProposedGroups, pageOf, type RankInput, withEvidence } from "./browse-relationships.ts";
import { padded } from "./bulk.ts";
import { type End, readEnds } from "./edge-ends.ts";
import { bySupport, type EdgeGroup, groupEdges } from "./edge-groups.ts";
import { toNumbers } from "./graph-entities.ts";
import { probabilityOf } from "./graph-facts.ts";

const maxListed = 500;
const maxTypes = 1_000;
const maxRanked = 10_000;
const maxSources = 100;

export async function rankProposals(
  db: Database,
  { projectId, edges, page }: RankInput,
): Promise<{ proposals: readonly Proposal[]; total: number }> {
  const ranked = edges.slice(0, maxRanked);
  const groups = groupEdges(ranked, await readEnds(db, projectId, ranked)).toSorted(
    (a, b) => b.confidence - a.confidence || bySupport(a, b),
  );
  return { proposals: await toProposals(db, projectId, pageOf(groups, page)), total: groups.length };
}

export async function readProposalTypes(
  db: Database,
  { projectId }: { projectId: string },
): Promise<GraphTypes["relationships"]> {
  const { rows } = await sql<{ type: string; source_type: string; target_type: string; count: number }>`
    select d.type, s.type as source_type, t.type as target_type, count(*) as count
    from (select distinct p.source_node, p.target_node, p.type from proposal_places as p
      where p.project_id = ${projectId} and not exists (select 1 from relationship_places as r
        where r.project_id = ${projectId} and r.source_node = p.source_node and r.target_node = p.target_node
          and r.type = p.type)
      order by p.source_node, p.target_node, p.type limit ${sql.lit(maxRanked)}) as d
    join entities as s on s.project_id = ${projectId} and s.node_id = d.source_node
    join entities as t on t.project_id = ${projectId} and t.node_id = d.target_node
    group by d.type, s.type, t.type order by 4 desc, 1, 2, 3 limit ${sql.lit(maxTypes)}`.execute(db);
  return rows.map(({ type, source_type: sourceType, target_type: targetType, count }) => {
    return { type, sourceType, targetType, count: Number(count) };
  });
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
  input: { projectId: string; nodeIds: readonly string[]; after: EdgePlace | null; limit: number },
): Promise<{ proposals: readonly Proposal[]; next: EdgePlace | null }> {
  const { projectId, after, limit } = input;
  const sources = toNumbers(input.nodeIds).slice(0, maxSources);
  if (sources.length === 0) return { proposals: [], next: null };
  const list = sql.join(padded(sources));
  const { rows } = await sql<{ node_id: number }>`
    select node_id from entities
      where project_id = ${projectId} and node_id in (${list}) and (entity_id is null or entity_id = node_id)
    union all
    select node_id from entities
      where project_id = ${projectId} and entity_id in (${list}) and entity_id <> node_id`.execute(db);
  const nodes = rows.map((row) => row.node_id);
  const { groups, next } = await listProposedGroups(db, { projectId, nodes, after, limit });
  return { proposals: await toProposals(db, projectId, groups), next };
}

async function toProposals(
  db: Database,
  projectId: string,
  groups: readonly EdgeGroup[],
): Promise<readonly Proposal[]> {
  const proposals = await withEvidence(db, { projectId, table: "proposal_places" }, groups);
  return proposals.map(({ group, evidence }): Proposal => {
    const { type, chunks, confidence, source, target, sourceEnd, targetEnd } = group;
    const [best] = evidence;
    return {
      ...{ type, chunks, confidence: probabilityOf(confidence), evidence },
      source: endOf(source, { ...sourceEnd, name: best?.sourceName }),
      target: endOf(target, { ...targetEnd, name: best?.targetName }),
    };
  });
}

function endOf(
  node: number,
  { entityId, type, key, name = "" }: Pick<End, "entityId" | "type" | "key"> & { name: string | undefined },
): ProposalEnd {
  return { entityId: entityId === null ? null : String(entityId), nodeId: String(node), type, key, name };
}
