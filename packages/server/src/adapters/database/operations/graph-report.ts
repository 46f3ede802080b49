/** What a project's graph is made of, and what did not fit into it. */
import { sql } from "kysely";
import type { UnfitFact } from "../../../domain/graph.ts";
import type { GraphTypes } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";

const maxTypes = 1_000;

export async function readFitReport(
  db: Database,
  { projectId, limit }: { projectId: string; limit: number },
): Promise<readonly UnfitFact[]> {
  const { rows } = await sql<UnfitRow>`
    select u.kind, u.source_type, u.name, u.target_type, cast(sum(u.count) as bigint) as count,
      min(u.example) as example
    from unfit_facts as u
    cross join document_versions as v
    where v.project_id = u.project_id and v.version_id = u.version_id and v.state = 'live'
      and u.project_id = ${projectId}
    group by u.kind, u.source_type, u.name, u.target_type
    order by count desc, u.kind, u.name, u.source_type, u.target_type
    limit ${limit}`.execute(db);
  return rows.map(({ source_type: sourceType, target_type: targetType, ...rest }) => ({
    ...rest,
    sourceType,
    targetType,
  }));
}

interface UnfitRow extends Pick<UnfitFact, "kind" | "name" | "count" | "example"> {
  readonly source_type: string;
  readonly target_type: string;
}

export async function readGraphTypes(
  db: Database,
  { projectId }: { projectId: string },
): Promise<GraphTypes> {
  const entities = await sql<GraphTypes["entities"][number]>`
    select type, count(distinct entity_id) as count from entities where project_id = ${projectId}
    group by type order by count desc, type limit ${maxTypes}`.execute(db);
  const relationships = await sql<{ type: string; source: string; target: string; count: number }>`
    select type, source, target, count(*) as count from (
      select distinct r.type, s.type as source, t.type as target, s.entity_id as source_id, t.entity_id as target_id
      from relationships as r
      cross join entities as s
      cross join entities as t
      where s.project_id = r.project_id and s.node_id = r.source_node and t.project_id = r.project_id and t.node_id = r.target_node
      and r.project_id = ${projectId}) as edges
    group by type, source, target order by count desc, type, source, target limit ${maxTypes}`.execute(db);
  return {
    entities: entities.rows,
    relationships: relationships.rows.map(({ type, source, target, count }) => ({
      type,
      sourceType: source,
      targetType: target,
      count,
    })),
  };
}
