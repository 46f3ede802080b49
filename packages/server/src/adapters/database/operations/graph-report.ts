/** The report of facts that did not fit a project's ontology. */
import { sql } from "kysely";
import type { UnfitFact } from "../../../domain/graph.ts";
import type { Database } from "../schema.ts";

/** Of the latest versions: of more the report would hold other reads up for a second. */
const MAX_READ = 20_000;

export async function readFitReport(
  db: Database,
  { projectId, limit }: { projectId: string; limit: number },
): Promise<readonly UnfitFact[]> {
  const { rows } = await sql<UnfitRow>`
    select u.kind, u.source_type, u.name, u.target_type, cast(sum(u.count) as bigint) as count,
      min(u.example) as example
    from (select * from unfit_facts where project_id = ${projectId} order by version_id desc limit ${MAX_READ}) as u
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
