/** Rows of `jobs`: conditions on them, and how they are read. */
import { type SqlBool, sql } from "kysely";
import type { Job, JobStatus } from "../../../domain/job.ts";
import type { JobRow } from "../schema.ts";

/** Conditions of the partial indexes. Literals, because SQLite does not use a partial index for a condition with a parameter. */
export const isUnfinished = sql<SqlBool>`queue_state <> 'done'`;
export const isReady = sql<SqlBool>`queue_state = 'ready'`;
export const isBlocked = sql<SqlBool>`queue_state = 'blocked'`;
export const isWaiting = sql<SqlBool>`queue_state = 'waiting'`;

/** The columns that make a `Job`: half of them. */
export const jobColumns = [
  "job_id",
  "project_id",
  "source_doc_id",
  "status",
  "chunks_processed",
  "nodes_created",
  "edges_created",
  "started_at",
  "completed_at",
  "error_message",
] as const satisfies readonly (keyof JobRow)[];

export function toJob(row: Pick<JobRow, (typeof jobColumns)[number]>): Job {
  return {
    jobId: row.job_id,
    projectId: row.project_id,
    sourceDocId: row.source_doc_id,
    status: row.status as JobStatus, // Written only by the operations, from this union.
    chunksProcessed: row.chunks_processed,
    nodesCreated: row.nodes_created,
    edgesCreated: row.edges_created,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    errorMessage: row.error_message,
  };
}
