/**
 * Delivers the events of the outbox, with retries, until the receiver
 * accepts them or the webhook is disabled.
 */
import type { ClaimedDelivery, ClaimedWebhook, WebhookStore } from "../ports/event-store.ts";
import type { Log } from "../ports/log.ts";
import { sendOnce, type WebhookDeps } from "./webhooks.ts";

export interface WebhookDelivery {
  /** Leases a webhook that has due deliveries, of an account of which fewer than `mostOfAccount` are leased; null when there is none. */
  claim(mostOfAccount: number): Promise<Turn | null>;
  /**
   * Sends the deliveries and releases the webhook. `stop` aborts requests, which are repeated later.
   * @throws the store's error after a failed write, once all requests have ended and the webhook is released
   */
  deliver(turn: Turn, stop: AbortSignal): Promise<void>;
}

/** A leased webhook with a batch of due deliveries. */
export interface Turn {
  readonly leaseToken: string;
  readonly webhook: ClaimedWebhook;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Delays between the attempts of one delivery: nine attempts in about two days. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  16 * HOUR,
  24 * HOUR,
];
/** Spreads the retries of deliveries that failed at the same time. */
const JITTER = 0.1;
/**
 * After a failure, the webhook pauses before its next turn, even if other
 * deliveries are due; doubled per failure.
 */
const FIRST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = MINUTE;

const DELIVERIES_PER_TURN = 8;
const SENT_AT_ONCE = 4;
/** Longer than the longest turn, which takes two rounds of the sender's timeout. */
const LEASE_MS = 30 * SECOND;

type DeliveryDeps = Pick<WebhookDeps, "sender" | "present" | "now"> & {
  readonly store: Pick<
    WebhookStore,
    "nextDelivery" | "claimDeliveries" | "recordAttempt" | "disableWebhook" | "releaseWebhook"
  >;
  readonly newLeaseToken: () => string;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
};

export function createWebhookDelivery(deps: DeliveryDeps): WebhookDelivery {
  const { store, now } = deps;
  return {
    async claim(mostOfAccount) {
      if (!(await store.nextDelivery({ now: now(), mostOfAccount })).readyNow) return null;
      const leaseToken = deps.newLeaseToken();
      const webhook = await store.claimDeliveries({
        leaseToken,
        now: now(),
        leaseUntil: now() + LEASE_MS,
        ...{ limit: DELIVERIES_PER_TURN, mostOfAccount },
      });
      return webhook === null ? null : { leaseToken, webhook };
    },

    async deliver(turn, stop) {
      let { failures } = turn.webhook;
      let isOver = false;
      const faults: unknown[] = [];
      const waiting = [...turn.webhook.deliveries];
      const sendWaiting = async () => {
        for (let next = waiting.shift(); next !== undefined && !isOver; next = waiting.shift()) {
          const outcome = await sendAndRecord(turn, next, { ...deps, stop });
          if (outcome === "lost" || stop.aborted) return;
          // After a failure the rest of the batch stays due, so that a receiver that is down does not get all
          // eight.
          isOver ||= outcome === "failed";
          failures = outcome === "failed" ? failures + 1 : 0;
        }
      };
      const recordFault = (fault: unknown) => {
        isOver = true;
        failures += 1;
        faults.push(fault);
      };
      await Promise.all(Array.from({ length: SENT_AT_ONCE }, () => sendWaiting().catch(recordFault)));
      const pauseMs = isOver ? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10)) : 0;
      await store.releaseWebhook({ leaseToken: turn.leaseToken, readyAt: now() + pauseMs });
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** "lost": aborted, the webhook was deleted, or the lease has expired and another worker has it. */
async function sendAndRecord(
  { leaseToken, webhook }: Turn,
  delivery: ClaimedDelivery,
  deps: DeliveryDeps & { readonly stop: AbortSignal },
): Promise<"sent" | "failed" | "lost"> {
  const { url, secret } = webhook;
  const { deliveryId, event } = delivery;
  const sent = await sendOnce({ url, secret, deliveryId, event }, deps, deps.stop).catch((error: unknown) => {
    if (!deps.stop.aborted) throw error;
    return null;
  });
  if (sent === null) return "lost"; // Aborted: it is unknown whether it arrived, so it is sent again.
  const { isGone, ...attempt } = sent;
  const delayMs = isGone ? undefined : RETRY_DELAYS_MS[delivery.attempts];
  const isOver = attempt.error === null || delayMs === undefined;
  const nextAttemptAt = isOver ? null : deps.now() + Math.round(delayMs * (1 + JITTER * deps.random()));
  if (!(await deps.store.recordAttempt({ leaseToken, deliveryId, attempt, nextAttemptAt }))) return "lost";
  if (attempt.error === null) return "sent";
  const { accountId, webhookId } = webhook;
  deps.log.debug("webhook_refused", { accountId, webhookId, deliveryId, attempts: delivery.attempts + 1 });
  if (nextAttemptAt === null) await disable(leaseToken, { delivery, sent }, deps);
  return "failed";
}

/**
 * Does not disable the webhook if the receiver has accepted other deliveries since,
 * because then it rejects only this one.
 */
async function disable(
  leaseToken: string,
  last: { readonly delivery: ClaimedDelivery; readonly sent: Awaited<ReturnType<typeof sendOnce>> },
  deps: DeliveryDeps,
): Promise<void> {
  const { delivery, sent } = last;
  const reason = sent.isGone
    ? "The receiver answered that it is gone"
    : `Delivery ${delivery.deliveryId} failed ${delivery.attempts + 1} times. The last error: ${sent.error}`;
  const unlessDeliveredSince = sent.isGone ? null : delivery.createdAt;
  await deps.store.disableWebhook({ leaseToken, reason, now: deps.now(), unlessDeliveredSince });
}
