/** Writes events for webhooks, in the transaction that causes them. */
import { newId } from "../../../domain/ids.ts";
import { MAX_WAITING_DELIVERIES, type ServiceEvent } from "../../../domain/webhook.ts";
import type { Database } from "../schema.ts";
import { insertRows } from "./bulk.ts";
import { encodeReason } from "./encoding.ts";

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
    await endWebhook(db, { accountId, webhookId, reason, now: first.at });
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

/** Disables a webhook. Its waiting deliveries fail. */
export async function endWebhook(
  db: Database,
  input: { accountId: string; webhookId: string; reason: string; now: number },
): Promise<void> {
  const { accountId, webhookId, reason, now } = input;
  await db
    .updateTable("webhooks")
    .set({ disabled_reason: encodeReason(reason), disabled_at: now, pending: 0 })
    .where("account_id", "=", accountId)
    .where("webhook_id", "=", webhookId)
    .execute();
  await db
    .updateTable("webhook_deliveries")
    .set((eb) => ({
      status: "failed" as const,
      next_at: null,
      error: eb.fn.coalesce("error", eb.val("The webhook was disabled before the event was sent")),
    }))
    .where("account_id", "=", accountId)
    .where("webhook_id", "=", webhookId)
    .where("next_at", "is not", null)
    .execute();
}
