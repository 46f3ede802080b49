import { sql } from "kysely";
import type { ProjectNumbers } from "../../../ports/project-numbers.ts";
import type { Database } from "../schema.ts";

interface NumbersRow {
  readonly segments: number;
  readonly index_version: number;
  readonly documents: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly jobs: number;
  readonly unfinished: number;
  readonly running: number;
  readonly failed: number;
  readonly tokens: number;
  readonly last_ingested_at: number | null;
}

/** One statement, so that the numbers are consistent. Each number is read from an index alone, except for the latest documents. */
export async function readProjectNumbers(
  db: Database,
  { projectId }: { projectId: string },
): Promise<ProjectNumbers | null> {
  const { rows } = await sql<NumbersRow>`
    select p.segment_count as segments, p.index_version,
      (select count(*) from documents as d where d.project_id = ${projectId}) as documents,
      (select cast(coalesce(sum(v.chunk_count), 0) as bigint) from document_versions as v
        where v.project_id = ${projectId} and v.state = 'live') as chunks,
      (select cast(coalesce(sum(v.byte_length), 0) as bigint) from document_versions as v
        where v.project_id = ${projectId} and v.state = 'live') as bytes,
      (select count(*) from jobs as j where j.project_id = ${projectId}) as jobs,
      (select count(*) from jobs as j where j.project_id = ${projectId} and j.queue_state <> 'done') as unfinished,
      (select count(*) from jobs as j where j.project_id = ${projectId} and j.status = 'running') as running,
      (select count(*) from jobs as j where j.project_id = ${projectId} and j.status = 'failed') as failed,
      (select cast(coalesce(sum(u.tokens), 0) as bigint) from usage_days as u
        where u.account_id = p.account_id and u.project_id = p.project_id) as tokens,
      (select d.updated_at from documents as d
        where d.project_id = ${projectId} and exists (
          select 1 from document_versions as v where v.project_id = d.project_id
            and v.source_doc_id = d.source_doc_id and v.state = 'live' and v.complete = 1)
        order by d.updated_at desc limit 1) as last_ingested_at
    from projects as p where p.project_id = ${projectId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { unfinished, running, failed } = row;
  return {
    documents: row.documents,
    chunks: row.chunks,
    bytes: row.bytes,
    segments: row.segments,
    indexVersion: row.index_version,
    jobs: { pending: unfinished - running, running, completed: row.jobs - unfinished - failed, failed },
    tokens: row.tokens,
    lastIngestedAt: row.last_ingested_at,
  };
}
