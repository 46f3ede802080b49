/** What happens in an account that others may want to be told of, and who is told. */
import type { Job } from "./job.ts";

export const EVENT_TYPES = ["job.completed", "job.failed", "project.deleted"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** `at`: epoch milliseconds. */
export type ServiceEvent =
  | { readonly type: "job.completed" | "job.failed"; readonly at: number; readonly job: Job }
  | {
      readonly type: "project.deleted";
      readonly at: number;
      readonly projectId: string;
      readonly name: string;
    };

/** What a webhook is sent: an event, or a test that somebody asked for. */
export type SentEvent =
  | ServiceEvent
  | { readonly type: "webhook.test"; readonly at: number; readonly webhookId: string };

export interface Webhook {
  readonly webhookId: string;
  readonly accountId: string;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description: string | null;
  readonly createdAt: number;
  /** null while events are sent. */
  readonly disabled: { readonly reason: string; readonly at: number } | null;
}

/** What came of one try. */
export interface Attempt {
  readonly at: number;
  readonly durationMs: number;
  /** What the receiver answered; null when it did not. */
  readonly responseStatus: number | null;
  /** null when the receiver has accepted. */
  readonly error: string | null;
}

/** One event for one webhook. */
export interface Delivery {
  readonly deliveryId: string;
  readonly type: SentEvent["type"];
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly createdAt: number;
  readonly lastAttempt: Attempt | null;
  /** null when there is no further try. */
  readonly nextAttemptAt: number | null;
}

/** Waiting deliveries that one webhook may have; with more it is disabled. */
export const MAX_WAITING_DELIVERIES = 10_000;
/** Ended deliveries that are kept of one webhook. */
export const KEPT_DELIVERIES = 200;
/** Webhooks of one account that are delivered to at once, so that the slow receivers of one hold up nobody else's. */
export const MAX_TURNS_PER_ACCOUNT = 4;
