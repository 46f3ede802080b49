import { createHash } from "node:crypto";
import type { Feedback, FeedbackRating, NewFeedback } from "../../../domain/feedback.ts";
import type { RecordFeedback, RecordFeedbackOutcome } from "../../../ports/feedback-store.ts";
import type { Page } from "../../../ports/store.ts";
import type { FeedbackRow } from "../feedback-schema.ts";
import type { Database } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { padded } from "./bulk.ts";
import { lockProject } from "./project-row.ts";

export async function recordFeedback(db: Database, input: RecordFeedback): Promise<RecordFeedbackOutcome> {
  const { projectId, given } = input;
  const project = await lockProject(db, projectId);
  if (project === null || project.accountId !== input.accountId) return { kind: "project_gone" };
  const account = await lockAccount(db, project.accountId);
  const hash = answerHash(given);
  const before = await db
    .selectFrom("feedback")
    .select(["feedback_id", "byte_length"])
    .where("project_id", "=", projectId)
    .where("answer_hash", "=", hash)
    .executeTakeFirst();
  const row = {
    ...rowOf(input, before?.feedback_id ?? input.feedbackId),
    answer_hash: hash,
    seq: account.next_seq,
    index_version: await indexVersionOf(db, projectId),
  };
  const added = row.byte_length - (before?.byte_length ?? 0);
  const { maxStoredBytes } = input;
  if (maxStoredBytes !== null && account.stored_bytes + added > maxStoredBytes)
    return { kind: "too_many_bytes" };
  const { project_id: _project, answer_hash: _hash, ...changed } = row;
  await db
    .insertInto("feedback")
    .values(row)
    .onConflict((conflict) => conflict.columns(["project_id", "answer_hash"]).doUpdateSet(changed))
    .execute();
  const removed = await removeOldest(db, input);
  await changeAccount(db, project.accountId, { seqs: 1, storedBytes: added - removed });
  return { kind: "recorded", feedback: toFeedback(row) };
}

function answerHash({ mode, query, answer }: NewFeedback): string {
  return createHash("sha256")
    .update(JSON.stringify([mode, query, answer]))
    .digest("hex");
}

function rowOf({ projectId, given, serviceVersion, now }: RecordFeedback, feedbackId: string) {
  const sourceDocIds = JSON.stringify(given.sourceDocIds);
  const texts = [given.query, given.answer, given.strategyUsed, sourceDocIds, given.comment ?? ""];
  return {
    project_id: projectId,
    feedback_id: feedbackId,
    rating: given.rating,
    mode: given.mode,
    query: given.query,
    answer: given.answer,
    strategy_used: given.strategyUsed,
    source_doc_ids: sourceDocIds,
    comment: given.comment,
    service_version: serviceVersion,
    created_at: now,
    byte_length: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  };
}

async function indexVersionOf(db: Database, projectId: string): Promise<number> {
  const row = await db
    .selectFrom("projects")
    .select("index_version")
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  return row.index_version;
}

/** Returns the bytes of what it removed. The row at the limit is found in the index alone. */
async function removeOldest(db: Database, { projectId, maxPerProject }: RecordFeedback): Promise<number> {
  const first = await db
    .selectFrom("feedback")
    .select("seq")
    .where("project_id", "=", projectId)
    .orderBy("seq", "desc")
    .offset(maxPerProject)
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return 0;
  const removed = await db
    .deleteFrom("feedback")
    .where("project_id", "=", projectId)
    .where("seq", "<=", first.seq)
    .returning("byte_length")
    .execute();
  return removed.reduce((sum, row) => sum + row.byte_length, 0);
}

export async function listFeedback(
  db: Database,
  { projectId, rating, page }: { projectId: string; rating: FeedbackRating | null; page: Page },
): Promise<{ readonly keys: readonly string[]; readonly total: number }> {
  let all = db.selectFrom("feedback").where("project_id", "=", projectId);
  if (rating !== null) all = all.where("rating", "=", rating);
  const { total } = await all.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  // SQLite finds the keys in an index alone.
  const rows = await all
    .select("answer_hash")
    .orderBy("seq", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { keys: rows.map((row) => row.answer_hash), total };
}

export async function readFeedback(
  db: Database,
  { projectId, keys }: { projectId: string; keys: readonly string[] },
): Promise<readonly Feedback[]> {
  const rows = await db
    .selectFrom("feedback")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("answer_hash", "in", padded(keys))
    .execute();
  const found = new Map(rows.map((row) => [row.answer_hash, row]));
  return keys.flatMap((key) => found.get(key) ?? []).map(toFeedback);
}

function toFeedback(row: Omit<FeedbackRow, "answer_hash" | "seq">): Feedback {
  return {
    feedbackId: row.feedback_id,
    projectId: row.project_id,
    rating: row.rating,
    query: row.query,
    mode: row.mode,
    answer: row.answer,
    strategyUsed: row.strategy_used,
    sourceDocIds: JSON.parse(row.source_doc_ids) as string[], // Only `recordFeedback` writes it.
    comment: row.comment,
    indexVersion: row.index_version,
    serviceVersion: row.service_version,
    createdAt: row.created_at,
  };
}
