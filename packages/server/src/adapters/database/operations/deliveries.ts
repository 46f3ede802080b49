/** The delivery side of the webhook outbox: claims, attempts and their results. */
import { type Attempt, DISABLED_BY_OWNER, KEPT_DELIVERIES, type SentEvent } from "../../../domain/webhook.ts";
import type { ClaimedWebhook, RecordAttempt } from "../../../ports/event-store.ts";
import type { Database } from "../schema.ts";
import { encodeReason } from "./encoding.ts";
import { endWebhook, failWaiting } from "./outbox.ts";
import { strayAfter } from "./stray-times.ts";

/**
 * The next enabled webhook, by `ready_at`, that is not leased and has a due delivery; skips the accounts in
 * `without`.
 */
function dueWebhooks(db: Database, now: number, without: readonly string[]) {
  return db
    .selectFrom("webhooks as w")
    .where("w.pending", ">", 0)
    .where("w.ready_at", "<=", now)
    .where("w.disabled_reason", "is", null)
    .$if(without.length > 0, (query) => query.where("w.account_id", "not in", without))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("webhook_deliveries as d")
          .select("d.seq")
          .whereRef("d.account_id", "=", "w.account_id")
          .whereRef("d.webhook_id", "=", "w.webhook_id")
          .where("d.next_at", "is not", null)
          .where("d.next_at", "<=", now),
      ),
    )
    .orderBy("w.ready_at")
    .orderBy("w.webhook_id")
    .limit(1);
}

/**
 * The next enabled webhook whose time is farther off than any pause or lease: it was set before the clock was set back. Whether
 * one of its deliveries is due, its claim tells.
 */
function strayWebhooks(db: Database, now: number, without: readonly string[]) {
  return db
    .selectFrom("webhooks as w")
    .where("w.pending", ">", 0)
    .where("w.ready_at", ">", strayAfter(now))
    .where("w.disabled_reason", "is", null)
    .$if(without.length > 0, (query) => query.where("w.account_id", "not in", without))
    .orderBy("w.ready_at")
    .orderBy("w.webhook_id")
    .limit(1);
}

/** Number of leased webhooks per account. */
async function countHeld(db: Database, now: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("webhooks")
    .select((eb) => ["account_id", eb.fn.countAll<number>().as("held")])
    .where("lease_token", "is not", null)
    .where("ready_at", ">", now)
    .where("ready_at", "<=", strayAfter(now))
    .groupBy("account_id")
    .execute();
  return new Map(rows.map((row) => [row.account_id, row.held]));
}

/** Accounts with at least `turns` leased webhooks. */
function accountsWith(held: ReadonlyMap<string, number>, turns: number): readonly string[] {
  return [...held].flatMap(([accountId, own]) => (own >= turns ? [accountId] : []));
}

export async function nextDelivery(
  db: Database,
  input: { now: number; mostOfAccount: number },
): Promise<{ readyNow: boolean }> {
  const full = accountsWith(await countHeld(db, input.now), input.mostOfAccount);
  for (const list of [dueWebhooks, strayWebhooks]) {
    const row = await list(db, input.now, full).select("w.webhook_id").executeTakeFirst();
    if (row !== undefined) return { readyNow: true };
  }
  return { readyNow: false };
}

/**
 * Prefers accounts with the fewest leased webhooks, so that many webhooks or slow receivers of one account
 * delay only that account.
 */
async function takeNext(db: Database, { now, mostOfAccount }: { now: number; mostOfAccount: number }) {
  const held = await countHeld(db, now);
  for (let turns = 1; turns <= mostOfAccount; turns++) {
    for (const list of [dueWebhooks, strayWebhooks]) {
      const candidates = list(db, now, accountsWith(held, turns));
      const webhook = await candidates.selectAll("w").forUpdate("w").skipLocked().executeTakeFirst();
      if (webhook !== undefined) return webhook;
    }
  }
  return undefined;
}

export async function claimDeliveries(
  db: Database,
  input: { leaseToken: string; now: number; leaseUntil: number; limit: number; mostOfAccount: number },
): Promise<ClaimedWebhook | null> {
  const webhook = await takeNext(db, input);
  if (webhook === undefined) return null;
  const { account_id: accountId, webhook_id: webhookId } = webhook;
  await db
    .updateTable("webhooks")
    .set({ lease_token: input.leaseToken, ready_at: input.leaseUntil })
    .where("account_id", "=", accountId)
    .where("webhook_id", "=", webhookId)
    .execute();
  if (webhook.ready_at > strayAfter(input.now)) await makeStrayDue(db, { accountId, webhookId }, input.now);
  const rows = await db
    .selectFrom("webhook_deliveries")
    .select(["delivery_id", "event", "attempts", "created_at"])
    .where("account_id", "=", accountId)
    .where("webhook_id", "=", webhookId)
    .where("next_at", "is not", null)
    .where("next_at", "<=", input.now)
    .orderBy("next_at")
    .orderBy("seq")
    .limit(input.limit)
    .execute();
  return {
    accountId,
    webhookId,
    url: webhook.url,
    secret: webhook.secret,
    failures: webhook.failures,
    deliveries: rows.map((row) => ({
      deliveryId: row.delivery_id,
      event: JSON.parse(row.event) as SentEvent, // Only `writeEvents` writes this column.
      attempts: row.attempts,
      createdAt: row.created_at,
    })),
  };
}

/** Deliveries whose wait began at a time that has not come yet are due. */
async function makeStrayDue(
  db: Database,
  { accountId, webhookId }: { accountId: string; webhookId: string },
  now: number,
): Promise<void> {
  await db
    .updateTable("webhook_deliveries")
    .set({ next_at: now })
    .where("account_id", "=", accountId)
    .where("webhook_id", "=", webhookId)
    .where("next_at", ">", now)
    .where((eb) => eb(eb.fn.coalesce("last_at", "created_at"), ">", now))
    .execute();
}

export async function recordAttempt(db: Database, input: RecordAttempt): Promise<boolean> {
  const { attempt, nextAttemptAt } = input;
  const webhook = await lockHeld(db, input.leaseToken);
  if (webhook === null) return false;
  const status = attempt.error === null ? "delivered" : nextAttemptAt === null ? "failed" : "pending";
  const { numUpdatedRows } = await db
    .updateTable("webhook_deliveries")
    .set((eb) => ({
      ...attemptColumns(attempt),
      attempts: eb("attempts", "+", 1),
      status,
      next_at: nextAttemptAt,
    }))
    .where("account_id", "=", webhook.accountId)
    .where("webhook_id", "=", webhook.webhookId)
    .where("delivery_id", "=", input.deliveryId)
    .where("next_at", "is not", null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await db
    .updateTable("webhooks")
    .set((eb) => ({
      pending: eb("pending", "-", nextAttemptAt === null ? 1 : 0),
      failures: attempt.error === null ? eb.lit(0) : eb("failures", "+", 1),
      delivered_at: attempt.error === null ? attempt.at : eb.ref("delivered_at"),
    }))
    .where("account_id", "=", webhook.accountId)
    .where("webhook_id", "=", webhook.webhookId)
    .execute();
  return true;
}

export async function disableWebhook(
  db: Database,
  input: { leaseToken: string; reason: string; now: number; unlessDeliveredSince: number | null },
): Promise<boolean> {
  const webhook = await lockHeld(db, input.leaseToken);
  if (webhook === null) return false;
  const { unlessDeliveredSince: since } = input;
  if (since !== null && webhook.deliveredAt !== null && webhook.deliveredAt >= since) return false;
  await endWebhook(db, { ...webhook, reason: input.reason, now: input.now });
  return true;
}

export async function releaseWebhook(
  db: Database,
  input: { leaseToken: string; readyAt: number },
): Promise<void> {
  const webhook = await lockHeld(db, input.leaseToken);
  if (webhook === null) return;
  // If the clock was set back during the turn, the next claim looks at the deliveries that wait.
  const isStray = webhook.readyAt > strayAfter(input.readyAt);
  await db
    .updateTable("webhooks")
    .set({ lease_token: null, ready_at: isStray ? webhook.readyAt : input.readyAt })
    .where("account_id", "=", webhook.accountId)
    .where("webhook_id", "=", webhook.webhookId)
    .execute();
  await deleteOldDeliveries(db, webhook);
}

export async function recordTest(
  db: Database,
  input: { accountId: string; webhookId: string; deliveryId: string; event: SentEvent; attempt: Attempt },
): Promise<void> {
  const { accountId, webhookId, attempt } = input;
  const succeeded = attempt.error === null;
  const webhook = await db
    .selectFrom("webhooks")
    .select("disabled_reason")
    .where("account_id", "=", accountId)
    .where("webhook_id", "=", webhookId)
    .forUpdate()
    .executeTakeFirst();
  if (webhook === undefined) return;
  if (succeeded) {
    const isKept = webhook.disabled_reason === DISABLED_BY_OWNER;
    await db
      .updateTable("webhooks")
      .set({ delivered_at: attempt.at, ...(!isKept && { disabled_reason: null, disabled_at: null }) })
      .where("account_id", "=", accountId)
      .where("webhook_id", "=", webhookId)
      .execute();
    // Those that an overflow has left, as a PATCH does.
    if (webhook.disabled_reason !== null && !isKept) await failWaiting(db, { accountId, webhookId });
  }
  await db
    .insertInto("webhook_deliveries")
    .values({
      account_id: accountId,
      webhook_id: webhookId,
      delivery_id: input.deliveryId,
      event_type: input.event.type,
      event: JSON.stringify(input.event),
      ...attemptColumns(attempt),
      attempts: 1,
      status: succeeded ? "delivered" : "failed",
      created_at: input.event.at,
      next_at: null,
    })
    .execute();
  await deleteOldDeliveries(db, { accountId, webhookId });
}

function attemptColumns(attempt: Attempt) {
  return {
    last_at: attempt.at,
    duration_ms: attempt.durationMs,
    response_status: attempt.responseStatus,
    error: attempt.error === null ? null : encodeReason(attempt.error),
  };
}

async function lockHeld(
  db: Database,
  leaseToken: string,
): Promise<{ accountId: string; webhookId: string; deliveredAt: number | null; readyAt: number } | null> {
  const row = await db
    .selectFrom("webhooks")
    .select(["account_id", "webhook_id", "delivered_at", "ready_at"])
    .where("lease_token", "=", leaseToken)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const { account_id: accountId, webhook_id: webhookId, delivered_at: deliveredAt } = row;
  return { accountId, webhookId, deliveredAt, readyAt: row.ready_at };
}

async function deleteOldDeliveries(
  db: Database,
  webhook: { accountId: string; webhookId: string },
): Promise<void> {
  const ended = await db
    .selectFrom("webhook_deliveries")
    .select("seq")
    .where("account_id", "=", webhook.accountId)
    .where("webhook_id", "=", webhook.webhookId)
    .where("next_at", "is", null)
    .orderBy("seq", "desc")
    .offset(KEPT_DELIVERIES)
    .limit(1)
    .executeTakeFirst();
  if (ended === undefined) return;
  await db
    .deleteFrom("webhook_deliveries")
    .where("account_id", "=", webhook.accountId)
    .where("webhook_id", "=", webhook.webhookId)
    .where("next_at", "is", null)
    .where("seq", "<=", ended.seq)
    .execute();
}
