/** Moves of projects to other embedding spaces: start, claim by a worker, end. */
import { sql } from "kysely";
import { type EmbeddingSpace, isSameSpace } from "../../../domain/embedding-space.ts";
import type { Reembedding, ReembeddingStatus } from "../../../domain/reembedding.ts";
import type { LeftToOthers } from "../../../domain/service-process.ts";
import type {
  CancelReembedOutcome,
  ClaimedReembedding,
  ReembedStore,
  StartOutcome,
} from "../../../ports/reembed-store.ts";
import type { ReembeddingRow } from "../reembed-schema.ts";
import type { Database } from "../schema.ts";
import { encodeReason } from "./encoding.ts";
import { afterPause, pauseAfter } from "./interruptions.ts";
import { lockProject, tryLockProject } from "./project-row.ts";
import { maxUpkeepWaitMs, strayAfter } from "./stray-times.ts";

/** How many projects are tried until one is found that no other transaction has locked. */
const maxCandidates = 5;
/** A `cleanup_at` that is due at once and comes before every real time. */
export const cleanupNow = 0;

type Input<Name extends keyof ReembedStore> = Parameters<ReembedStore[Name]>[0];

export async function startReembedding(
  db: Database,
  input: Input<"startReembedding">,
): Promise<StartOutcome> {
  const { projectId, to, now } = input;
  const project = await lockProject(db, projectId);
  if (project === null || project.accountId !== input.accountId) return "project_gone";
  const last = await findRow(db, projectId);
  if (last !== undefined && isUnderWay(last))
    return isSameSpace(targetSpaceOf(last), to) ? "under_way" : "elsewhere";
  if (isSameSpace(project.space, to)) return "settled";
  const resumed = last?.status === "failed" && isSameSpace(targetSpaceOf(last), to) ? last.staged_set : null;
  const lastSet = Math.max(project.vectorSet, last?.last_set ?? 0) + (resumed === null ? 1 : 0);
  // A failed move to another space left staged vectors that no move will continue with.
  const hasLeftovers = resumed === null && last !== undefined && last.staged_set !== null;
  const row: ReembeddingRow = {
    project_id: projectId,
    account_id: project.accountId,
    status: "pending",
    from_model: project.space.model,
    from_dimensions: project.space.dimensions,
    to_model: to.model,
    to_dimensions: to.dimensions,
    last_set: lastSet,
    staged_set: resumed ?? lastSet,
    staged_until: null,
    ready_at: now,
    lease_token: null,
    attempts: 0,
    served_at: last?.served_at ?? 0,
    chunks_processed: 0,
    chunks_total: 0,
    created_at: now,
    started_at: null,
    progressed_at: null,
    completed_at: null,
    error_message: null,
    // A cleanup after the last move may not have finished yet.
    cleanup_at: hasLeftovers || last?.cleanup_at === cleanupNow ? cleanupNow : null,
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
    status: row.status as ReembeddingStatus, // Written only by the operations, from this union.
    from: { model: row.from_model, dimensions: row.from_dimensions },
    to: targetSpaceOf(row),
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
  if (!isUnderWay(row)) return row.status as "completed" | "failed" | "cancelled"; // The statuses that are not under way.
  const { processed, total } = await countChunks(db, projectId, row.staged_set);
  await db
    .updateTable("reembeddings")
    .set({
      status: "cancelled",
      ready_at: null,
      lease_token: null,
      staged_set: null,
      cleanup_at: cleanupNow,
      chunks_processed: processed,
      chunks_total: total,
      completed_at: now,
    })
    .where("project_id", "=", projectId)
    .execute();
  return "cancelled";
}

export async function claimReembedding(
  db: Database,
  input: Input<"claimReembedding">,
): Promise<ClaimedReembedding | null> {
  const { now, leaseToken, leaseUntil, left = null } = input;
  const { rows: candidates } = await sql<{ project_id: string }>`
    select r.project_id from reembeddings as r where ${isDue(now)} and not ${isMoveLeft(left)}
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
    // An expired lease means that the worker died during an attempt.
    const attempts = row.attempts + (row.lease_token === null ? 0 : 1);
    const progressedAt = row.progressed_at ?? now;
    await db
      .updateTable("reembeddings")
      .set({
        status: "running",
        lease_token: leaseToken,
        ready_at: leaseUntil + pauseAfter(attempts),
        attempts,
        served_at: now,
        started_at: row.started_at ?? now,
        progressed_at: progressedAt,
      })
      .where("project_id", "=", projectId)
      .execute();
    const { account_id: accountId, staged_set: vectorSet } = row;
    return { projectId, accountId, to: targetSpaceOf(row), vectorSet, attempts, progressedAt };
  }
  return null;
}

/** `ready_at` has passed, or is so far ahead that the clock must have been set back since it was written. */
function isDue(now: number) {
  return sql<boolean>`r.ready_at is not null and (r.ready_at <= ${now} or r.ready_at > ${strayAfter(now)})`;
}

/** It moves to a space that only other processes can embed. */
function isMoveLeft(left: LeftToOthers | null) {
  const spaces = left?.spaces ?? [];
  const each = spaces.map(
    ({ model, dimensions }) => sql`(r.to_model = ${model} and r.to_dimensions = ${dimensions})`,
  );
  return sql<boolean>`(${each.length === 0 ? sql`1 = 0` : sql.join(each, sql` or `)})`;
}

export async function nextReembedding(
  db: Database,
  { now, left = null }: Input<"nextReembedding">,
): Promise<{ readyNow: boolean }> {
  const { rows } = await sql`
    select 1 from reembeddings as r where ${isDue(now)} and not ${isMoveLeft(left)} limit 1`.execute(db);
  return { readyNow: rows.length > 0 };
}

export async function renewReembedding(
  db: Database,
  input: { leaseToken: string; leaseUntil: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("reembeddings")
    .set({ ready_at: afterPause(input.leaseUntil) })
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
  const { projectId } = input;
  if ((await lockProject(db, projectId)) === null) return;
  const row = await findHeld(db, input);
  if (row === undefined) return;
  const change = input.retryAt === null ? await failedColumns(db, row, input) : { ready_at: input.retryAt };
  await db
    .updateTable("reembeddings")
    .set({ ...change, lease_token: null, attempts: row.attempts + (input.countAttempt ? 1 : 0) })
    .where("project_id", "=", projectId)
    .execute();
}

async function failedColumns(
  db: Database,
  row: ReembeddingRow,
  { projectId, now, errorMessage }: Input<"failReembedding">,
) {
  const { processed, total } = await countChunks(db, projectId, row.staged_set);
  // A new move to the same space can continue with the staged vectors.
  const until = now + maxUpkeepWaitMs;
  return {
    status: "failed",
    ready_at: null,
    completed_at: now,
    chunks_processed: processed,
    chunks_total: total,
    error_message: encodeReason(errorMessage),
    staged_until: until,
    cleanup_at: row.cleanup_at ?? until,
  };
}

export function targetSpaceOf(row: Pick<ReembeddingRow, "to_model" | "to_dimensions">): EmbeddingSpace {
  return { model: row.to_model, dimensions: row.to_dimensions };
}

/** The row of a move that this lease holds. The caller has locked the project. */
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

/** The caller holds the project's lock. */
export async function isBeingMoved(db: Database, projectId: string): Promise<boolean> {
  const last = await findRow(db, projectId);
  return last !== undefined && isUnderWay(last);
}

function isUnderWay({ status }: Pick<ReembeddingRow, "status">): boolean {
  return status === "pending" || status === "running";
}

/** `total`: chunks of the project. `processed`: those that are in a segment of the vector set. */
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
