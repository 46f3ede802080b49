/** Moves of projects to other vector spaces: begun, claimed by workers, ended. */
import { sql } from "kysely";
import { type EmbeddingSpace, isSameSpace } from "../../../domain/embedding-space.ts";
import type { Reembedding, ReembeddingStatus } from "../../../domain/reembedding.ts";
import type {
  CancelReembedOutcome,
  ClaimedReembedding,
  ReembedStore,
  StartOutcome,
} from "../../../ports/reembed-store.ts";
import type { ReembeddingRow } from "../reembed-schema.ts";
import type { Database } from "../schema.ts";
import { strayAfter } from "./job-rows.ts";
import { lockProject, tryLockProject } from "./project-row.ts";

/** So long what a failed move has staged is kept, to be gone on with. */
const stagedLifeMs = 24 * 60 * 60_000;
/** How many are tried for one whose project nobody has locked. */
const maxCandidates = 5;
/** Of a row to be cleaned up at once; it is taken up before those that wait for a time. */
const atOnce = 0;

type Input<Name extends keyof ReembedStore> = Parameters<ReembedStore[Name]>[0];

export async function startReembedding(
  db: Database,
  input: Input<"startReembedding">,
): Promise<StartOutcome> {
  const { projectId, to, now } = input;
  const project = await lockProject(db, projectId);
  if (project === null || project.accountId !== input.accountId) return "project_gone";
  const last = await findRow(db, projectId);
  if (last !== undefined && isUnderWay(last)) return isSameSpace(toOf(last), to) ? "under_way" : "elsewhere";
  if (isSameSpace(project.space, to)) return "settled";
  const resumed = last?.status === "failed" && isSameSpace(toOf(last), to) ? last.staged_set : null;
  const lastSet = Math.max(project.vectorSet, last?.last_set ?? 0) + (resumed === null ? 1 : 0);
  // What a failed move to another space has staged goes now.
  const isLeft = resumed === null && last !== undefined && last.staged_set !== null;
  const row: ReembeddingRow = {
    ...{ project_id: projectId, account_id: project.accountId, status: "pending" },
    ...{ from_model: project.space.model, from_dimensions: project.space.dimensions },
    ...{ to_model: to.model, to_dimensions: to.dimensions },
    ...{ last_set: lastSet, staged_set: resumed ?? lastSet, staged_until: null },
    ...{ ready_at: now, lease_token: null, attempts: 0, served_at: last?.served_at ?? 0 },
    ...{ chunks_processed: 0, chunks_total: 0 },
    ...{ created_at: now, started_at: null, progressed_at: null, completed_at: null, error_message: null },
    // Work on the vectors that the project has now may be under way still.
    cleanup_at: isLeft || last?.cleanup_at === atOnce ? atOnce : null,
    cleanup_version: last?.cleanup_version ?? 0,
    cleanup_position: last?.cleanup_position ?? 0,
  };
  await db
    .insertInto("reembeddings")
    .values(row)
    .onConflict((conflict) => conflict.column("project_id").doUpdateSet(row))
    .execute();
  return "begun";
}

export async function findReembedding(
  db: Database,
  { projectId }: { projectId: string },
): Promise<Reembedding | null> {
  const row = await db
    .selectFrom("reembeddings")
    .selectAll()
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const chunks = isUnderWay(row)
    ? await countChunks(db, projectId, row.staged_set)
    : { processed: row.chunks_processed, total: row.chunks_total };
  return {
    projectId,
    status: row.status as ReembeddingStatus, // Only the operations write it, from this union.
    from: { model: row.from_model, dimensions: row.from_dimensions },
    to: toOf(row),
    chunksProcessed: Math.min(chunks.processed, chunks.total),
    chunksTotal: chunks.total,
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    errorMessage: row.error_message,
  };
}

export async function cancelReembedding(
  db: Database,
  { projectId, now }: Input<"cancelReembedding">,
): Promise<CancelReembedOutcome> {
  const project = await lockProject(db, projectId);
  const row = project === null ? undefined : await findRow(db, projectId);
  if (row === undefined) return "none";
  if (!isUnderWay(row)) return row.status as "completed" | "failed" | "cancelled"; // The others of a move.
  const { processed, total } = await countChunks(db, projectId, row.staged_set);
  await db
    .updateTable("reembeddings")
    .set({
      ...{ status: "cancelled", ready_at: null, lease_token: null, staged_set: null, cleanup_at: atOnce },
      ...{ chunks_processed: processed, chunks_total: total, completed_at: now },
    })
    .where("project_id", "=", projectId)
    .execute();
  return "cancelled";
}

export async function claimReembedding(
  db: Database,
  input: Input<"claimReembedding">,
): Promise<ClaimedReembedding | null> {
  const { now, leaseToken, leaseUntil } = input;
  const { rows: candidates } = await sql<{ project_id: string }>`
    select r.project_id from reembeddings as r where ${isDue(now)}
    order by (select max(o.served_at) from reembeddings as o where o.account_id = r.account_id),
      r.ready_at, r.project_id
    limit ${sql.lit(maxCandidates)}`.execute(db);
  for (const { project_id: projectId } of candidates) {
    if ((await tryLockProject(db, projectId)) === null) continue;
    const row = await db
      .selectFrom("reembeddings as r")
      .selectAll()
      .where("r.project_id", "=", projectId)
      .where(isDue(now))
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined || row.staged_set === null) continue;
    // A lease that lapsed was a try that ended without a word.
    const attempts = row.attempts + (row.lease_token === null ? 0 : 1);
    const progressedAt = row.progressed_at ?? now;
    await db
      .updateTable("reembeddings")
      .set({
        ...{ status: "running", lease_token: leaseToken, ready_at: leaseUntil, attempts, served_at: now },
        ...{ started_at: row.started_at ?? now, progressed_at: progressedAt },
      })
      .where("project_id", "=", projectId)
      .execute();
    const { account_id: accountId, staged_set: vectorSet } = row;
    return { projectId, accountId, to: toOf(row), vectorSet, attempts, progressedAt };
  }
  return null;
}

/** Also one that waits for a time after this one was given it by a clock that has been set back since. */
function isDue(now: number) {
  return sql<boolean>`r.ready_at is not null and (r.ready_at <= ${now} or r.ready_at > ${strayAfter(now)})`;
}

export async function nextReembedding(
  db: Database,
  { now }: { now: number },
): Promise<{ readyNow: boolean }> {
  const { rows } = await sql`select 1 from reembeddings as r where ${isDue(now)} limit 1`.execute(db);
  return { readyNow: rows.length > 0 };
}

export async function renewReembedding(
  db: Database,
  input: { leaseToken: string; leaseUntil: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("reembeddings")
    .set({ ready_at: input.leaseUntil })
    .where("lease_token", "=", input.leaseToken)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function releaseReembedding(
  db: Database,
  input: { leaseToken: string; now: number },
): Promise<void> {
  await db
    .updateTable("reembeddings")
    .set({ ready_at: input.now, lease_token: null })
    .where("lease_token", "=", input.leaseToken)
    .execute();
}

export async function failReembedding(db: Database, input: Input<"failReembedding">): Promise<void> {
  const { projectId, now } = input;
  if ((await lockProject(db, projectId)) === null) return;
  const row = await findHeld(db, input);
  if (row === undefined) return;
  const ended = input.retryAt === null ? await endingOf(db, row, input) : { ready_at: input.retryAt };
  await db
    .updateTable("reembeddings")
    .set({ ...ended, lease_token: null, attempts: row.attempts + (input.countAttempt ? 1 : 0) })
    .where("project_id", "=", projectId)
    .execute();

  async function endingOf(database: Database, held: ReembeddingRow, { errorMessage }: typeof input) {
    const { processed, total } = await countChunks(database, projectId, held.staged_set);
    const until = now + stagedLifeMs;
    return {
      ...{
        status: "failed",
        ready_at: null,
        completed_at: now,
        chunks_processed: processed,
        chunks_total: total,
      },
      error_message: errorMessage.replaceAll("\0", ""), // PostgreSQL's text has none.
      ...{ staged_until: until, cleanup_at: held.cleanup_at ?? until },
    };
  }
}

export function toOf(row: Pick<ReembeddingRow, "to_model" | "to_dimensions">): EmbeddingSpace {
  return { model: row.to_model, dimensions: row.to_dimensions };
}

/** The row of a move that is held under this lease; the caller has locked the project. */
export function findHeld(
  db: Database,
  held: { readonly projectId: string; readonly leaseToken: string },
): Promise<ReembeddingRow | undefined> {
  return db
    .selectFrom("reembeddings")
    .selectAll()
    .where("project_id", "=", held.projectId)
    .where("lease_token", "=", held.leaseToken)
    .forUpdate()
    .executeTakeFirst();
}

function findRow(db: Database, projectId: string): Promise<ReembeddingRow | undefined> {
  return db
    .selectFrom("reembeddings")
    .selectAll()
    .where("project_id", "=", projectId)
    .forUpdate()
    .executeTakeFirst();
}

function isUnderWay({ status }: Pick<ReembeddingRow, "status">): boolean {
  return status === "pending" || status === "running";
}

/** All chunks of a project, and those with a place in a staged segment. */
export async function countChunks(
  db: Database,
  projectId: string,
  vectorSet: number | null,
): Promise<{ readonly processed: number; readonly total: number }> {
  const { rows } = await sql<{ processed: number; total: number }>`
    select
      (select cast(coalesce(sum(chunk_count - dead_chunk_count), 0) as bigint) from segments
        where project_id = ${projectId} and vector_set = ${vectorSet}) as processed,
      (select cast(coalesce(sum(chunk_count), 0) as bigint) from document_versions
        where project_id = ${projectId}) as total`.execute(db);
  return rows[0] ?? { processed: 0, total: 0 };
}
