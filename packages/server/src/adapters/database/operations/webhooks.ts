import { sql } from "kysely";
import {
  type Attempt,
  type Delivery,
  type DeliveryStatus,
  type DeliverySubject,
  DISABLED_BY_OWNER,
  type EventType,
  type SentEvent,
  type Webhook,
  type WebhookChange,
} from "../../../domain/webhook.ts";
import type { StoredWebhook } from "../../../ports/event-store.ts";
import type { Page } from "../../../ports/store.ts";
import type { WebhookDeliveryRow, WebhookRow } from "../event-schema.ts";
import type { Database } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { endWebhook, failWaiting } from "./outbox.ts";

export async function createWebhook(
  db: Database,
  input: StoredWebhook & { readonly maxPerAccount: number },
): Promise<"created" | "too_many"> {
  const { webhook, secret, maxPerAccount } = input;
  const account = await lockAccount(db, webhook.accountId);
  const { count } = await db
    .selectFrom("webhooks")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", webhook.accountId)
    .executeTakeFirstOrThrow();
  if (count >= maxPerAccount) return "too_many";
  await db
    .insertInto("webhooks")
    .values({
      account_id: webhook.accountId,
      webhook_id: webhook.webhookId,
      account_seq: account.next_seq,
      url: webhook.url,
      events: JSON.stringify(webhook.events),
      description: webhook.description,
      secret,
      created_at: webhook.createdAt,
      disabled_reason: null,
      disabled_at: null,
      pending: 0,
      failures: 0,
      delivered_at: null,
      ready_at: 0,
      lease_token: null,
    })
    .execute();
  await changeAccount(db, webhook.accountId, { seqs: 1 });
  return "created";
}

export async function listWebhooks(db: Database, input: { accountId: string }): Promise<readonly Webhook[]> {
  const rows = await db
    .selectFrom("webhooks")
    .selectAll()
    .where("account_id", "=", input.accountId)
    .orderBy("account_seq", "desc")
    .execute();
  return rows.map(toWebhook);
}

export async function findWebhook(
  db: Database,
  input: { accountId: string; webhookId: string },
): Promise<StoredWebhook | null> {
  const row = await db
    .selectFrom("webhooks")
    .selectAll()
    .where("account_id", "=", input.accountId)
    .where("webhook_id", "=", input.webhookId)
    .executeTakeFirst();
  return row === undefined ? null : { webhook: toWebhook(row), secret: row.secret };
}

export async function changeWebhook(
  db: Database,
  input: { accountId: string; webhookId: string; change: WebhookChange; now: number },
): Promise<Webhook | null> {
  const { change, now, ...key } = input;
  const row = await db
    .selectFrom("webhooks")
    .selectAll()
    .where("account_id", "=", key.accountId)
    .where("webhook_id", "=", key.webhookId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const { url = row.url, events, description = row.description, isEnabled } = change;
  const isEnding = isEnabled === false && row.disabled_reason !== DISABLED_BY_OWNER;
  const isNewReceiver = url !== row.url || (isEnabled === true && row.disabled_reason !== null);
  await db
    .updateTable("webhooks")
    .set({
      url,
      events: events === undefined ? row.events : JSON.stringify(events),
      description,
      ...(isEnabled === true && { disabled_reason: null, disabled_at: null }),
      ...(isNewReceiver && { failures: 0 }),
      ...((isNewReceiver || isEnding) && { lease_token: null, ready_at: 0 }),
    })
    .where("account_id", "=", key.accountId)
    .where("webhook_id", "=", key.webhookId)
    .execute();
  if (isEnding) await endWebhook(db, { ...key, reason: DISABLED_BY_OWNER, now });
  // Upkeep may not have come to them.
  if (isEnabled === true && row.disabled_reason !== null) await failWaiting(db, key);
  return (await findWebhook(db, key))?.webhook ?? null;
}

export async function deleteWebhook(
  db: Database,
  input: { accountId: string; webhookId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("webhooks")
    .where("account_id", "=", input.accountId)
    .where("webhook_id", "=", input.webhookId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await db
    .deleteFrom("webhook_deliveries")
    .where("account_id", "=", input.accountId)
    .where("webhook_id", "=", input.webhookId)
    .execute();
  return true;
}

export async function listDeliveries(
  db: Database,
  input: { accountId: string; webhookId: string; page: Page; status: DeliveryStatus | null },
): Promise<{ readonly deliveries: readonly Delivery[]; readonly total: number }> {
  const all = db
    .selectFrom("webhook_deliveries")
    .where("account_id", "=", input.accountId)
    .where("webhook_id", "=", input.webhookId)
    .$if(input.status !== null, (query) => query.where("status", "=", input.status));
  const { total } = await all.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await all
    .select(deliveryColumns)
    .select(sql<string>`substr(event, 1, ${sql.lit(eventStart)})`.as("event_start"))
    .orderBy("seq", "desc")
    .limit(input.page.limit)
    .offset(input.page.offset)
    .execute();
  return { deliveries: rows.map(toDelivery), total };
}

/** Without the event, which has texts of its own. */
const deliveryColumns = [
  "delivery_id",
  "event_type",
  "status",
  "attempts",
  "created_at",
  "next_at",
  "last_at",
  "duration_ms",
  "response_status",
  "error",
] as const satisfies readonly (keyof WebhookDeliveryRow)[];

type ListedRow = Pick<WebhookDeliveryRow, (typeof deliveryColumns)[number]> & {
  readonly event_start: string;
};

function toWebhook(row: WebhookRow): Webhook {
  return {
    webhookId: row.webhook_id,
    accountId: row.account_id,
    url: row.url,
    events: JSON.parse(row.events) as EventType[], // Only `createWebhook` and `changeWebhook` write it.
    description: row.description,
    createdAt: row.created_at,
    disabled:
      row.disabled_reason === null || row.disabled_at === null
        ? null
        : { reason: row.disabled_reason, at: row.disabled_at },
  };
}

function toDelivery(row: ListedRow): Delivery {
  return {
    deliveryId: row.delivery_id,
    type: row.event_type as SentEvent["type"], // Only written from a SentEvent.
    subject: startOf(row.event_start),
    status: row.status,
    attempts: row.attempts,
    createdAt: row.created_at,
    lastAttempt: lastAttempt(row),
    nextAttemptAt: row.next_at,
  };
}

/** An event begins with what it is about: with a document's id of 512 characters, a third of which may be escaped. */
const eventStart = 1_000;
const members = {
  projectId: /"projectId":("(?:[^"\\]|\\.)*")/,
  jobId: /"jobId":("(?:[^"\\]|\\.)*")/,
  sourceDocId: /"sourceDocId":("(?:[^"\\]|\\.)*")/,
} as const;

/** Within a text of the event each quote is escaped, so that no text looks like a member. */
function startOf(json: string): DeliverySubject {
  const member = (name: keyof typeof members): string | null => {
    const [, text] = members[name].exec(json) ?? [];
    return text === undefined ? null : (JSON.parse(text) as string); // A JSON string.
  };
  return { projectId: member("projectId"), jobId: member("jobId"), sourceDocId: member("sourceDocId") };
}

/** A delivery that failed because its webhook was disabled may have an error without an attempt. */
function lastAttempt(row: ListedRow): Attempt | null {
  if (row.last_at === null && row.error === null) return null;
  return {
    at: row.last_at ?? row.created_at,
    durationMs: row.duration_ms ?? 0,
    responseStatus: row.response_status,
    error: row.error,
  };
}
