/** Events of an account, and the webhooks that receive them. */
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

/** The content of a delivery: an event, or a test that the owner requested. */
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
  /** null while the webhook is enabled. */
  readonly disabled: { readonly reason: string; readonly at: number } | null;
}

/** What is left out stays. */
export interface WebhookChange {
  readonly url?: string;
  readonly events?: readonly EventType[];
  readonly description?: string | null;
  readonly isEnabled?: boolean;
}

/** Why a webhook is disabled that no successful test enables again. */
export const DISABLED_BY_OWNER = "Its owner has disabled it";

/** One attempt to deliver, and its result. */
export interface Attempt {
  readonly at: number;
  readonly durationMs: number;
  /** Status of the receiver's response; null when there was none. */
  readonly responseStatus: number | null;
  /** null when the receiver accepted the delivery. */
  readonly error: string | null;
}

export type DeliveryStatus = "pending" | "delivered" | "failed";

/** What an event is about; null where it is about none. */
export interface DeliverySubject {
  readonly projectId: string | null;
  readonly jobId: string | null;
  readonly sourceDocId: string | null;
}

export function subjectOf(event: SentEvent): DeliverySubject {
  if (event.type === "webhook.test") return { projectId: null, jobId: null, sourceDocId: null };
  if (event.type === "project.deleted") return { projectId: event.projectId, jobId: null, sourceDocId: null };
  const { projectId, jobId, sourceDocId } = event.job;
  return { projectId, jobId, sourceDocId };
}

/** One event for one webhook. */
export interface Delivery {
  readonly deliveryId: string;
  readonly type: SentEvent["type"];
  readonly subject: DeliverySubject;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly createdAt: number;
  readonly lastAttempt: Attempt | null;
  /** null when no further attempt is planned. */
  readonly nextAttemptAt: number | null;
}

/** Pending deliveries per webhook; a webhook with more is disabled. */
export const MAX_WAITING_DELIVERIES = 10_000;
/** Delivered and failed deliveries that are stored per webhook. */
export const KEPT_DELIVERIES = 200;
