/** Inserts jobs into the queue. */
import type { Database, JobRow, QueueState } from "../schema.ts";
import { insertRows, partsOf } from "./bulk.ts";
import { isUnfinished } from "./job-rows.ts";

/** Parameters in one `in (…)` list. */
const maxListed = 500;

export interface NewJob {
  readonly jobId: string;
  readonly sourceDocId: string;
  readonly versionId: number;
  /** null for a job that was accepted with a text. */
  readonly rereadsVersion: number | null;
  /** True where its text is still to be made from a file. Default: false. */
  readonly isUnread?: boolean;
  /** True where its file is a page that is not fetched yet. Default: false. */
  readonly isPage?: boolean | undefined;
}

/** A job of a document that has an unfinished job waits for it. The caller holds the locks of project and account. */
export async function insertJobs(
  db: Database,
  input: {
    readonly projectId: string;
    readonly accountId: string;
    readonly now: number;
    readonly firstSeq: number;
    readonly jobs: readonly NewJob[];
  },
): Promise<void> {
  await beginBatch(db, input);
  const busy = await findBusyDocuments(db, input);
  const rows = input.jobs.map((job, index): JobRow => {
    const isUnread = job.isUnread === true;
    const free: QueueState = isUnread ? "unread" : "ready";
    const queueState: QueueState = busy.has(job.sourceDocId) ? "blocked" : free;
    busy.add(job.sourceDocId);
    return {
      project_id: input.projectId,
      seq: input.firstSeq + index,
      job_id: job.jobId,
      account_id: input.accountId,
      source_doc_id: job.sourceDocId,
      version_id: job.versionId,
      status: "pending",
      queue_state: queueState,
      ready_at: null,
      lease_token: null,
      attempts: 0,
      chunks_processed: 0,
      chunks_total: null,
      nodes_created: 0,
      edges_created: 0,
      created_at: input.now,
      started_at: null,
      completed_at: null,
      error_message: null,
      ended_place: null,
      rereads_version: job.rereadsVersion,
      convert_at: isUnread ? input.now : null,
      convert_token: null,
      is_page: job.isPage === true ? 1 : 0,
    };
  });
  await insertRows(db, "jobs", rows);
}

/** Notes the first of the jobs that come while none is unfinished. */
async function beginBatch(
  db: Database,
  { projectId, firstSeq }: { readonly projectId: string; readonly firstSeq: number },
): Promise<void> {
  await db
    .updateTable("projects")
    .set({ batch_seq: firstSeq })
    .where("project_id", "=", projectId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("jobs").select("seq").where("project_id", "=", projectId).where(isUnfinished))),
    )
    .execute();
}

/** Documents with an unfinished job. */
async function findBusyDocuments(
  db: Database,
  input: { readonly projectId: string; readonly jobs: readonly NewJob[] },
): Promise<Set<string>> {
  const busy = new Set<string>();
  const ids = [...new Set(input.jobs.map((job) => job.sourceDocId))];
  for (const part of partsOf(ids, maxListed)) {
    const rows = await db
      .selectFrom("jobs")
      .select("source_doc_id")
      .where("project_id", "=", input.projectId)
      .where("source_doc_id", "in", part)
      .where(isUnfinished)
      .execute();
    for (const row of rows) busy.add(row.source_doc_id);
  }
  return busy;
}
