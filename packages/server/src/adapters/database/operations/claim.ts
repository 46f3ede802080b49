/** Claims jobs for a worker: which account's turn it is, which jobs, and which version each of them works on. */
import { sql } from "kysely";
import { isSameSpace } from "../../../domain/embedding-space.ts";
import type { ClaimedJob } from "../../../domain/job.ts";
import { guessChunks } from "../../../domain/progress.ts";
import type { ProjectConfig } from "../../../domain/project.ts";
import type { Claim, ClaimJobs } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { clearDeletedProject } from "./deleted-projects.ts";
import { decodeMetadata, decodeText } from "./encoding.ts";
import { finishJobs } from "./finish-jobs.ts";
import { pauseAfter } from "./interruptions.ts";
import { isReady, isWaiting } from "./job-rows.ts";
import { nextProject } from "./next-project.ts";
import { readOntologyOf } from "./ontologies.ts";
import { type LockedProject, lockProject, tryLockProject } from "./project-row.ts";
import { strayAfter } from "./stray-times.ts";
import { decideVersions, type JobDecision, type TakenJob } from "./version-decision.ts";

/** Accounts whose project is tried without waiting for its lock; then the claim waits for the first. */
const maxCandidates = 5;
/** A job with this many attempts without a committed batch is claimed alone: if it kills its worker, no other job fails with it. */
const suspectAttempts = 2;

export async function claimJobs(db: Database, input: ClaimJobs): Promise<Claim> {
  const project = await pickProject(db, input);
  if (project === "cleared") return { jobs: [], hasEnded: true };
  // It may have been moved to another space before it was locked.
  const isLeft = input.left?.spaces.some((space) => project !== null && isSameSpace(space, project.space));
  if (project === null || isLeft === true) return { jobs: [], hasEnded: false };
  const taken = await takeJobs(db, project, input);
  if (taken.length === 0) return { jobs: [], hasEnded: false };
  const decisions = await decideVersions(db, project, taken);
  const unchanged = decisions.filter((decision) => decision.unchangedChunkCount !== null);
  await finishJobs(db, project, {
    jobs: unchanged.map((decision) => ({
      seq: decision.job.seq,
      sourceDocId: decision.job.sourceDocId,
      chunksProcessed: decision.unchangedChunkCount,
    })),
    now: input.now,
    errorMessage: null,
  });
  await markServed(db, project, input.now);
  const claimed = decisions.filter((decision) => decision.unchangedChunkCount === null);
  const jobs = claimed.length === 0 ? [] : await lease(db, project, { ...input, decisions: claimed });
  return { jobs, hasEnded: unchanged.length > 0 };
}

/**
 * The next project in the accounts' turns, locked. Projects that another transaction has locked are skipped at first. One that is deleted still
 * has jobs: then some of these were removed, and nothing is claimed.
 */
async function pickProject(db: Database, input: ClaimJobs): Promise<LockedProject | "cleared" | null> {
  const candidates = await listCandidates(db, input);
  for (const projectId of candidates) {
    const project = await tryLockProject(db, projectId);
    if (project !== null) return project;
    const accountId = await clearDeletedProject(db, projectId);
    if (accountId === null) continue;
    await markServed(db, { accountId, projectId }, input.now);
    return "cleared";
  }
  const [first] = candidates;
  return first === undefined ? null : lockProject(db, first);
}

/**
 * One project for each of the accounts that have a job to claim, those served longest ago first. Reads the accounts in the order of the index
 * `accounts_by_turn`.
 */
async function listCandidates(
  db: Database,
  { now, exceptAccounts = [], left = null }: ClaimJobs,
): Promise<string[]> {
  const isLeftOut =
    exceptAccounts.length === 0 ? sql`` : sql`and s.account_id not in (${sql.join(exceptAccounts)})`;
  const { rows } = await sql<{ project_id: string }>`
    select project_id from (
      select s.account_id, s.served_at, ${nextProject(now, left)} as project_id
      from account_state s where s.pending_jobs > 0 ${isLeftOut}
    ) candidates
    where project_id is not null
    order by served_at, account_id
    limit ${maxCandidates}`.execute(db);
  return rows.map((row) => row.project_id);
}

/** Jobs of a locked project that can run now, in order, within the limits on their number and text. */
async function takeJobs(
  db: Database,
  project: LockedProject,
  input: ClaimJobs,
): Promise<readonly TakenJob[]> {
  const takeable = db
    .selectFrom("jobs as j")
    .leftJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "j.project_id").onRef("v.version_id", "=", "j.version_id"),
    )
    // The content of a reread's version before it is stored.
    .leftJoin("document_versions as r", (join) =>
      join.onRef("r.project_id", "=", "j.project_id").onRef("r.version_id", "=", "j.rereads_version"),
    )
    .select(["j.seq", "j.job_id", "j.source_doc_id", "j.version_id", "j.rereads_version"])
    .select(["j.attempts", "j.queue_state", "j.started_at", "v.state", "v.chunk_count"])
    .select(({ fn }) => [
      fn.coalesce("v.text_hash", "r.text_hash").as("text_hash"),
      fn.coalesce("v.byte_length", "r.byte_length").as("byte_length"),
      fn.coalesce("v.metadata", "r.metadata").as("metadata"),
    ])
    .where("j.project_id", "=", project.projectId)
    .limit(input.maxJobs)
    .forUpdate("j")
    .skipLocked();
  const due = await takeable
    .where("j.ready_at", "is not", null)
    .where("j.ready_at", "<=", input.now)
    .orderBy("j.ready_at")
    .execute();
  const stray = await takeable
    .where("j.ready_at", "is not", null)
    .where("j.ready_at", ">", strayAfter(input.now))
    .where(isWaiting)
    .orderBy("j.ready_at")
    .execute();
  const ready = await takeable.where(isReady).orderBy("j.seq").execute();
  const rows = [...due, ...stray, ...ready].sort((a, b) => a.seq - b.seq).slice(0, input.maxJobs);
  const jobs = rows.map((row) => ({
    seq: row.seq,
    jobId: row.job_id,
    sourceDocId: row.source_doc_id,
    // An expired lease means that the worker died during an attempt.
    attempts: row.attempts + (row.queue_state === "running" ? 1 : 0),
    startedAt: row.started_at,
    rereadsVersion: row.rereads_version,
    isVersionStored: row.state !== null,
    version: {
      version_id: row.version_id,
      state: row.state ?? "new",
      text_hash: row.text_hash ?? "",
      byte_length: row.byte_length ?? 0,
      chunk_count: row.chunk_count ?? 0,
      metadata: row.metadata,
    },
  }));
  return withinBytes(beforeSuspects(jobs), input.maxTextBytes);
}

/** The jobs before the first suspect; the suspect alone, if it is the first job. */
function beforeSuspects(jobs: readonly TakenJob[]): readonly TakenJob[] {
  const suspect = jobs.findIndex((job) => job.attempts >= suspectAttempts);
  return suspect === -1 ? jobs : jobs.slice(0, Math.max(1, suspect));
}

/** The first jobs whose texts and metadata fit into `maxBytes`; at least one. */
function withinBytes(jobs: readonly TakenJob[], maxBytes: number): readonly TakenJob[] {
  let bytes = 0;
  const end = jobs.findIndex((job, index) => {
    bytes += job.version.byte_length;
    return index > 0 && bytes > maxBytes;
  });
  return end === -1 ? jobs : jobs.slice(0, end);
}

async function lease(
  db: Database,
  project: LockedProject,
  input: ClaimJobs & { decisions: readonly JobDecision[] },
): Promise<readonly ClaimedJob[]> {
  const { config, ontology, moves } = await readSettings(db, project.projectId);
  await noteMoves(db, project.projectId, {
    moves,
    versionIds: input.decisions.map(({ versionId }) => versionId),
  });
  const texts = await readTexts(
    db,
    project.projectId,
    input.decisions.map((decision) => decision.versionId),
  );
  for (const { job, versionId } of input.decisions) {
    const guess = guessChunks(texts.get(versionId)?.length ?? 0, config);
    await db
      .updateTable("jobs")
      .set((eb) => ({
        version_id: versionId,
        status: "running",
        queue_state: "running" as const,
        lease_token: input.leaseToken,
        ready_at: input.leaseUntil + pauseAfter(job.attempts),
        attempts: job.attempts,
        chunks_total: eb.fn.coalesce("chunks_total", eb.val(guess)),
        started_at: eb.fn.coalesce("started_at", eb.val(input.now)),
      }))
      .where("project_id", "=", project.projectId)
      .where("seq", "=", job.seq)
      .execute();
  }
  return input.decisions.map(({ job, versionId, nextPosition, replacesVersionId }) => ({
    jobId: job.jobId,
    projectId: project.projectId,
    accountId: project.accountId,
    sourceDocId: job.sourceDocId,
    config,
    ontology,
    versionId,
    text: texts.get(versionId)!, // A version and its text are written and removed together.
    // A version of another job that this job resumes has the same metadata.
    metadata: decodeMetadata(job.version.metadata),
    nextPosition,
    replacesVersionId,
    attempts: job.attempts,
    startedAt: job.startedAt ?? input.now,
  }));
}

async function readSettings(
  db: Database,
  projectId: string,
): Promise<Pick<ClaimedJob, "config" | "ontology"> & { readonly moves: number }> {
  const { config, moves } = await db
    .selectFrom("projects")
    .select(["config", "moves"])
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  return {
    config: JSON.parse(config) as ProjectConfig, // Written only by `createProject` and `switchSpace`.
    ontology: await readOntologyOf(db, { projectId }),
    moves,
  };
}

/** Under which of its ontologies versions are read: while one is, the project is not moved. */
async function noteMoves(
  db: Database,
  projectId: string,
  { moves, versionIds }: { readonly moves: number; readonly versionIds: readonly number[] },
): Promise<void> {
  if (moves === 0) return;
  await db
    .updateTable("document_versions")
    .set({ moves })
    .where("project_id", "=", projectId)
    .where("version_id", "in", versionIds)
    .execute();
}

async function readTexts(
  db: Database,
  projectId: string,
  versionIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom("version_texts")
    .select(["version_id", "encoding", "bytes"])
    .where("project_id", "=", projectId)
    .where("version_id", "in", versionIds)
    .execute();
  return new Map(rows.map((row) => [row.version_id, decodeText(row.encoding, row.bytes)]));
}

/** Makes the account the last in turn, and its project the last of the account: above the highest `served_at`, because several claims can share a millisecond. */
async function markServed(
  db: Database,
  { accountId, projectId }: Pick<LockedProject, "accountId" | "projectId">,
  now: number,
): Promise<void> {
  const { latest } = await db
    .selectFrom("account_state")
    .select((eb) => eb.fn.max("served_at").as("latest"))
    .where(sql<boolean>`pending_jobs > 0`)
    .executeTakeFirstOrThrow();
  await db
    .updateTable("account_state")
    .set({ served_at: Math.max(now, (latest ?? 0) + 1), served_project: projectId })
    .where("account_id", "=", accountId)
    .execute();
}
