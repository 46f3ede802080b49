/** Failed attempts: jobs wait for the next one, or fail for good. */
import type { JobQueue } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { finishJobs } from "./finish-jobs.ts";
import { type LockedProject, lockProject } from "./project-row.ts";

type FailJobs = Parameters<JobQueue["failJobs"]>[0];

interface HeldJob {
  readonly seq: number;
  readonly sourceDocId: string;
}

export async function failJobs(db: Database, input: FailJobs): Promise<void> {
  const project = await lockProject(db, input.projectId);
  if (project === null || input.jobIds.length === 0) return;
  const rows = await db
    .selectFrom("jobs")
    .select(["seq", "source_doc_id"])
    .where("project_id", "=", input.projectId)
    .where("lease_token", "=", input.leaseToken)
    .where("job_id", "in", input.jobIds)
    .orderBy("seq")
    .forUpdate()
    .execute();
  const jobs = rows.map((row) => ({ seq: row.seq, sourceDocId: row.source_doc_id }));
  if (jobs.length === 0) return;
  if (input.retryAt === null) {
    await failHeldJobs(db, project, { jobs, now: input.now, errorMessage: input.errorMessage });
  } else {
    await postponeJobs(db, project, {
      jobs,
      retryAt: input.retryAt,
      countAttempt: input.countAttempt ?? true,
    });
  }
}

/**
 * Fails jobs for good. Committed chunks stay, so that a later ingest of the same text can continue with them; the text stays, so
 * that the job can be retried. The next ingest of the document resumes or removes both.
 */
export async function failHeldJobs(
  db: Database,
  project: LockedProject,
  input: { jobs: readonly HeldJob[]; now: number; errorMessage: string },
): Promise<void> {
  await finishJobs(db, project, {
    jobs: input.jobs.map((job) => ({ ...job, chunksProcessed: null })),
    now: input.now,
    errorMessage: input.errorMessage,
  });
}

async function postponeJobs(
  db: Database,
  project: LockedProject,
  input: { jobs: readonly HeldJob[]; retryAt: number; countAttempt: boolean },
): Promise<void> {
  await db
    .updateTable("jobs")
    .set((eb) => ({
      queue_state: "waiting" as const,
      ready_at: input.retryAt,
      lease_token: null,
      attempts: eb("attempts", "+", input.countAttempt ? 1 : 0),
    }))
    .where("project_id", "=", project.projectId)
    .where(
      "seq",
      "in",
      input.jobs.map((job) => job.seq),
    )
    .execute();
}
