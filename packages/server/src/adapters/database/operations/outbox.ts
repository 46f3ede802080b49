/** Writes events for webhooks, in the transaction that causes them. */
import { type SqlBool, sql } from "kysely";
import { newId } from "../../../domain/ids.ts";
import { MAX_WAITING_DELIVERIES, type ServiceEvent } from "../../../domain/webhook.ts";
import type { Database } from "../schema.ts";
import { insertRows } from "./bulk.ts";
import { encodeReason } from "./encoding.ts";

/** Deliveries of one step. */
const maxFailed = 1_000;

/**
 * Writes one delivery for each event and each webhook of the account that is subscribed to it. The caller has
 * already updated the account's row: every operation locks it before rows of webhooks.
 */
export async function writeEvents(
  db: Database,
  accountId: string,
  events: readonly ServiceEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const webhooks = await db
    .selectFrom("webhooks")
    .select(["webhook_id", "events"])
    .where("account_id", "=", accountId)
    .where("disabled_reason", "is", null)
    .orderBy("webhook_id")
    .execute();
  for (const webhook of webhooks) {
    // Only `createWebhook` and `changeWebhook` write it.
    const types: readonly string[] = JSON.parse(webhook.events) as string[];
    const subscribed = events.filter((event) => types.includes(event.type));
    await writeDeliveries(db, { accountId, webhookId: webhook.webhook_id, events: subscribed });
  }
}

async function writeDeliveries(
  db: Database,
  input: { accountId: string; webhookId: string; events: readonly ServiceEvent[] },
): Promise<void> {
  const { accountId, webhookId, events } = input;
  const [first] = events;
  if (first === undefined) return;
  const counted = await db
    .updateTable("webhooks")
    .set((eb) => ({ pending: eb("pending", "+", events.length) }))
    .where("account_id", "=", accountId)
    .where("webhook_id", "=", webhookId)
    .where("disabled_reason", "is", null)
    .returning("pending")
    .executeTakeFirst();
  if (counted === undefined) return;
  if (counted.pending > MAX_WAITING_DELIVERIES) {
    const reason = `More than ${MAX_WAITING_DELIVERIES.toLocaleString("en")} events were waiting for delivery`;
    // Its deliveries are left to upkeep: one event can disable all webhooks of the account.
    await disableWebhook(db, { accountId, webhookId, reason, now: first.at });
    return;
  }
  const rows = events.map((event) => ({
    account_id: accountId,
    webhook_id: webhookId,
    delivery_id: newId("msg"),
    event_type: event.type,
    event: JSON.stringify(event),
    status: "pending" as const,
    attempts: 0,
    created_at: event.at,
    next_at: event.at,
    last_at: null,
    duration_ms: null,
    response_status: null,
    error: null,
  }));
  await insertRows(db, "webhook_deliveries", rows);
}

interface WebhookKey {
  readonly accountId: string;
  readonly webhookId: string;
}

/** Disables a webhook. Its waiting deliveries fail: those of one step at once, the others by upkeep. */
export async function endWebhook(
  db: Database,
  input: WebhookKey & { reason: string; now: number },
): Promise<void> {
  await disableWebhook(db, input);
  await failWaiting(db, input, maxFailed);
}

async function disableWebhook(
  db: Database,
  { accountId, webhookId, reason, now }: WebhookKey & { reason: string; now: number },
): Promise<void> {
  await db
    .updateTable("webhooks")
    .set({ disabled_reason: encodeReason(reason), disabled_at: now, pending: 0 })
    .where("account_id", "=", accountId)
    .where("webhook_id", "=", webhookId)
    .execute();
}

/** All of a webhook, or so many. Returns their number. */
export async function failWaiting(
  db: Database,
  { accountId, webhookId }: WebhookKey,
  most?: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set status = 'failed', next_at = null,
      error = coalesce(error, 'The webhook was disabled before the event was sent')
    where seq in (
      select seq from webhook_deliveries
      where account_id = ${accountId} and webhook_id = ${webhookId} and next_at is not null
      ${most === undefined ? sql`` : sql`limit ${sql.lit(most)}`})`.execute(db);
  return Number(numAffectedRows);
}

/** A webhook `w` that was disabled and of which deliveries still wait. */
export const isLeftWaiting = sql<SqlBool>`w.disabled_reason is not null and exists (
  select 1 from webhook_deliveries d
  where d.account_id = w.account_id and d.webhook_id = w.webhook_id and d.next_at is not null)`;

/** One step for one webhook. True when more may be left. */
export async function failLeftDeliveries(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom("webhooks as w")
    .select(["w.account_id", "w.webhook_id"])
    .where(isLeftWaiting)
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return false;
  await failWaiting(db, { accountId: row.account_id, webhookId: row.webhook_id }, maxFailed);
  return true;
}
