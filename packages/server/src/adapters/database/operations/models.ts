import { sql } from "kysely";
import type { MeteredTask } from "../../../ports/language-model.ts";
import type { ModelStore, ModelUse, ReplyKey } from "../../../ports/model-store.ts";
import type { Page } from "../../../ports/store.ts";
import type { ModelUsageRow } from "../model-schema.ts";
import type { Database } from "../schema.ts";
import { decodeText, encodeText } from "./encoding.ts";
import { addTokens, readTokens } from "./token-meter.ts";

const dayMs = 86_400_000;
/** Replies that were not used for this long belong to documents that have changed or been deleted. */
const unusedReplyLifeMs = 90 * dayMs;
/** A year, plus time to compare the usage with a late bill. */
const usageLifeMs = 400 * dayMs;
const maxReclaimed = 1_000;

export function readTokenUse(db: Database, input: { accountId: string; month: string }): Promise<number> {
  return readTokens(db, input);
}

export async function findModelReply(
  db: Database,
  input: ReplyKey,
): Promise<{ text: string; usedAt: number } | null> {
  const row = await db
    .selectFrom("model_replies")
    .select(["encoding", "bytes", "used_at"])
    .where("account_id", "=", input.accountId)
    .where("key", "=", input.key)
    .executeTakeFirst();
  return row === undefined ? null : { text: decodeText(row.encoding, row.bytes), usedAt: row.used_at };
}

export async function touchModelReply(db: Database, input: ReplyKey & { now: number }): Promise<void> {
  await db
    .updateTable("model_replies")
    .set({ used_at: input.now })
    .where("account_id", "=", input.accountId)
    .where("key", "=", input.key)
    .where("used_at", "<", input.now)
    .execute();
}

export async function recordModelUse(
  db: Database,
  { use, reply, isCharged = true }: Parameters<ModelStore["recordModelUse"]>[0],
): Promise<void> {
  // Locks the project's row first, as all operations do, to avoid deadlocks.
  const keepsReply = reply !== null && (await lockProjectOf(db, use.projectId));
  await addTokens(db, {
    accountId: use.accountId,
    month: use.day.slice(0, "2031-04".length),
    tokens: isCharged ? use.inputTokens + use.outputTokens : 0,
  });
  await addUse(db, use);
  if (keepsReply) await keepReply(db, use, reply);
}

async function addUse(db: Database, use: ModelUse): Promise<void> {
  await db
    .insertInto("model_usage")
    .values({
      account_id: use.accountId,
      day: use.day,
      project_id: use.projectId ?? "",
      job_id: use.jobId ?? "",
      task: use.task,
      model: use.model,
      calls: use.calls,
      input_tokens: use.inputTokens,
      output_tokens: use.outputTokens,
      cost_micros: use.costMicros,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "day", "project_id", "job_id", "task", "model"]).doUpdateSet((eb) => ({
        calls: eb("model_usage.calls", "+", eb.ref("excluded.calls")),
        input_tokens: eb("model_usage.input_tokens", "+", eb.ref("excluded.input_tokens")),
        output_tokens: eb("model_usage.output_tokens", "+", eb.ref("excluded.output_tokens")),
        cost_micros: eb("model_usage.cost_micros", "+", eb.ref("excluded.cost_micros")),
      })),
    )
    .execute();
}

/**
 * Blocks the deletion of the project until the transaction ends, so that a call that ends during the deletion
 * stores no reply of it. False when the project no longer exists.
 */
async function lockProjectOf(db: Database, projectId: string | null): Promise<boolean> {
  if (projectId === null) return true;
  const row = await db
    .selectFrom("projects")
    .select("project_id")
    .where("project_id", "=", projectId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

async function keepReply(
  db: Database,
  use: ModelUse,
  { key, text, now }: { readonly key: string; readonly text: string; readonly now: number },
): Promise<void> {
  const { encoding, bytes } = encodeText(text);
  const values = {
    project_id: use.projectId,
    encoding,
    bytes,
    stored_bytes: bytes.byteLength,
    used_at: now,
  };
  await db
    .insertInto("model_replies")
    .values({ account_id: use.accountId, key, ...values })
    .onConflict((conflict) => conflict.columns(["account_id", "key"]).doUpdateSet(values))
    .execute();
}

export async function trimModelReplies(
  db: Database,
  input: { maxBytes: number; maxEntries: number },
): Promise<number> {
  const accounts = await db
    .selectFrom("model_replies")
    .select((eb) => [eb.fn.sum<number>("stored_bytes").as("bytes"), eb.fn.countAll<number>().as("entries")])
    .groupBy("account_id")
    .execute();
  const bytes = fairShare(
    accounts.map((account) => Number(account.bytes)),
    input.maxBytes,
  );
  const entries = fairShare(
    accounts.map((account) => Number(account.entries)),
    input.maxEntries,
  );
  if (bytes === null && entries === null) return 0;
  const result = await sql`
    delete from model_replies where (account_id, key) in (
      select account_id, key from (
        select account_id, key,
          sum(stored_bytes) over newest_first as bytes,
          row_number() over newest_first as place
        from model_replies
        window newest_first as (
          partition by account_id
          order by used_at desc, key desc rows between unbounded preceding and current row)
      ) as ranked
      where bytes > ${bytes ?? Number.MAX_SAFE_INTEGER} or place > ${entries ?? Number.MAX_SAFE_INTEGER})`.execute(
    db,
  );
  return Number(result.numAffectedRows ?? 0);
}

/**
 * The maximum for each account such that all together use at most `total`, while accounts below the maximum
 * keep all they have (max-min fairness: D. Bertsekas, R. Gallager, "Data networks", 1992, 6.5.2). null when
 * all fit.
 */
function fairShare(used: readonly number[], total: number): number | null {
  let left = total;
  for (const [at, amount] of used.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(left / (used.length - at));
    if (amount > share) return share;
    left -= amount;
  }
  return null;
}

export async function listModelUse(
  db: Database,
  input: { accountId: string; page: Page },
): Promise<readonly ModelUse[]> {
  const rows = await db
    .selectFrom("model_usage")
    .selectAll()
    .where("account_id", "=", input.accountId)
    .orderBy("day", "desc")
    .orderBy("project_id")
    .orderBy("job_id")
    .orderBy("task")
    .orderBy("model")
    .limit(input.page.limit)
    .offset(input.page.offset)
    .execute();
  return rows.map(toUse);
}

function toUse(row: ModelUsageRow): ModelUse {
  return {
    accountId: row.account_id,
    projectId: row.project_id === "" ? null : row.project_id,
    jobId: row.job_id === "" ? null : row.job_id,
    task: row.task as MeteredTask, // Only `recordModelUse` writes this column, from this union.
    model: row.model,
    day: row.day,
    calls: row.calls,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    costMicros: row.cost_micros,
  };
}

/** Deletes replies and usage rows that are too old. True when there may be more. */
export async function reclaimModelRows(db: Database, now: number): Promise<boolean> {
  const replies = await db
    .selectFrom("model_replies")
    .select(["account_id", "key"])
    .where("used_at", "<", now - unusedReplyLifeMs)
    .orderBy("used_at")
    .limit(maxReclaimed)
    .execute();
  if (replies.length > 0) {
    const keys = replies.map((row) => sql`(${row.account_id}, ${row.key})`);
    await sql`delete from model_replies where (account_id, key) in (values ${sql.join(keys)})`.execute(db);
  }
  const oldestDay = new Date(now - usageLifeMs).toISOString().slice(0, "2031-04-21".length);
  const key = sql.raw("account_id, day, project_id, job_id, task, model");
  const { numAffectedRows } = await sql`delete from model_usage where (${key}) in (
    select ${key} from model_usage where day < ${oldestDay} order by day limit ${sql.lit(maxReclaimed)})`.execute(
    db,
  );
  return replies.length === maxReclaimed || Number(numAffectedRows) === maxReclaimed;
}
