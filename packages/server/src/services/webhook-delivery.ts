/** Brings what is in the outbox to its receivers, again and again until they have it or it is no use. */
import type { ClaimedDelivery, ClaimedWebhook, WebhookStore } from "../ports/event-store.ts";
import type { Log } from "../ports/log.ts";
import { sendOnce, type WebhookDeps } from "./webhooks.ts";

export interface WebhookDelivery {
  /** A webhook with deliveries that are due, for this caller alone; null when there is none. */
  claim(): Promise<Turn | null>;
  /**
   * Sends them, and gives the webhook back. `stop` cuts it off; what was not answered yet is sent again.
   * @throws the fault of a store that could not be written to, once nothing is sent any more and the webhook is back
   */
  deliver(turn: Turn, stop: AbortSignal): Promise<void>;
}

export interface Turn {
  readonly leaseToken: string;
  readonly webhook: ClaimedWebhook;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Between the tries of one delivery: nine tries in about two days. */
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
/** Receivers that failed together would all be tried again together. */
const JITTER = 0.1;
/** A receiver that fails is left alone between two turns, whatever else is due. */
const FIRST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = MINUTE;

const DELIVERIES_PER_TURN = 8;
const SENT_AT_ONCE = 4;
/** More than the longest turn: two rounds of a sender's deadline. */
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
    async claim() {
      if (!(await store.nextDelivery({ now: now() })).readyNow) return null;
      const leaseToken = deps.newLeaseToken();
      const webhook = await store.claimDeliveries({
        leaseToken,
        now: now(),
        leaseUntil: now() + LEASE_MS,
        limit: DELIVERIES_PER_TURN,
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
          // After a failure the rest of the turn stays due: a receiver that is down is not asked eight times.
          isOver ||= outcome === "failed";
          failures = outcome === "failed" ? failures + 1 : 0;
        }
      };
      const noteFault = (fault: unknown) => {
        isOver = true;
        failures += 1;
        faults.push(fault);
      };
      await Promise.all(Array.from({ length: SENT_AT_ONCE }, () => sendWaiting().catch(noteFault)));
      const pauseMs = isOver ? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10)) : 0;
      await store.releaseWebhook({ leaseToken: turn.leaseToken, readyAt: now() + pauseMs });
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** "lost": the webhook is gone, or somebody else's by now. */
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
  if (sent === null) return "lost"; // Cut off: nobody knows whether it arrived, so it is sent again.
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

/** Unless the receiver has accepted others since, so that this one alone is not to its liking. */
async function disable(
  leaseToken: string,
  last: { readonly delivery: ClaimedDelivery; readonly sent: Awaited<ReturnType<typeof sendOnce>> },
  deps: DeliveryDeps,
): Promise<void> {
  const { delivery, sent } = last;
  const reason = sent.isGone
    ? "The receiver answered that it is gone"
    : `Delivery ${delivery.deliveryId} failed ${delivery.attempts + 1} times, the last time because: ${sent.error}`;
  const unlessDeliveredSince = sent.isGone ? null : delivery.createdAt;
  await deps.store.disableWebhook({ leaseToken, reason, now: deps.now(), unlessDeliveredSince });
}
