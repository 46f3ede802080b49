/** JSON of job progress and webhooks. */
import { stringifyJson } from "@kcs/contract";
import type { Delivery, SentEvent, Webhook } from "../domain/webhook.ts";
import type { StoredWebhook } from "../ports/event-store.ts";
import type { Page } from "../ports/store.ts";
import type { ProgressEvent } from "../services/progress.ts";
import { presentJob } from "./present.ts";

export function presentProgress({ progress, pace }: ProgressEvent) {
  return {
    ...presentJob(progress.job),
    chunks_total: progress.chunksTotal,
    chunks_per_second: pace.chunksPerSecond,
    seconds_left: pace.secondsLeft,
  };
}

export function presentWebhook(webhook: Webhook) {
  const { disabled } = webhook;
  return {
    webhook_id: webhook.webhookId,
    url: webhook.url,
    events: webhook.events,
    description: webhook.description,
    status: disabled === null ? "enabled" : "disabled",
    disabled_reason: disabled?.reason ?? null,
    disabled_at: disabled === null ? null : time(disabled.at),
    created_at: time(webhook.createdAt),
  };
}

export function presentCreatedWebhook({ webhook, secret }: StoredWebhook) {
  return { ...presentWebhook(webhook), secret };
}

export function presentDelivery(delivery: Delivery) {
  const { lastAttempt, nextAttemptAt } = delivery;
  return {
    delivery_id: delivery.deliveryId,
    event: delivery.type,
    project_id: delivery.subject.projectId,
    job_id: delivery.subject.jobId,
    source_doc_id: delivery.subject.sourceDocId,
    status: delivery.status,
    attempts: delivery.attempts,
    created_at: time(delivery.createdAt),
    last_attempt_at: delivery.attempts === 0 || lastAttempt === null ? null : time(lastAttempt.at),
    next_attempt_at: nextAttemptAt === null ? null : time(nextAttemptAt),
    response_status: lastAttempt?.responseStatus ?? null,
    duration_ms: delivery.attempts === 0 ? null : (lastAttempt?.durationMs ?? null),
    error: lastAttempt?.error ?? null,
  };
}

export function presentDeliveries(
  { deliveries, total }: { readonly deliveries: readonly Delivery[]; readonly total: number },
  page: Page,
) {
  return { deliveries: deliveries.map(presentDelivery), total, limit: page.limit, offset: page.offset };
}

/** The body of a webhook delivery; identical for every attempt. */
export function presentEvent(event: SentEvent): string {
  return stringifyJson({ type: event.type, timestamp: time(event.at), data: dataOf(event) });
}

function dataOf(event: SentEvent) {
  if (event.type === "project.deleted") return { project_id: event.projectId, name: event.name };
  if (event.type === "webhook.test") return { webhook_id: event.webhookId };
  return presentJob(event.job);
}

function time(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
