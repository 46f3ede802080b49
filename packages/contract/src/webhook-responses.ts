import { z } from "zod";
import { count, time } from "./answer-fields.ts";
import { job } from "./job-responses.ts";

/** What a webhook may be told of. */
export const WEBHOOK_EVENTS = ["job.completed", "job.failed", "project.deleted"] as const;

export const webhook = z.strictObject({
  webhook_id: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  description: z.string().nullable(),
  status: z.enum(["enabled", "disabled"]),
  /** Why nothing is sent any more; null while it is enabled. */
  disabled_reason: z.string().nullable(),
  disabled_at: time.nullable(),
  created_at: time,
});

/** The secret, `whsec_` and base64, is answered this once. */
export const createdWebhook = webhook.extend({ secret: z.string() });

export const webhookList = z.strictObject({ webhooks: z.array(webhook) });

export const webhookDelivery = z.strictObject({
  /** The `webhook-id` of every try: the receiver knows repetitions by it. */
  delivery_id: z.string(),
  event: z.enum([...WEBHOOK_EVENTS, "webhook.test"]),
  status: z.enum(["pending", "delivered", "failed"]),
  attempts: count,
  created_at: time,
  last_attempt_at: time.nullable(),
  /** null when there is no further try. */
  next_attempt_at: time.nullable(),
  /** Of the last try; null where nothing was answered. */
  response_status: count.nullable(),
  duration_ms: count.nullable(),
  error: z.string().nullable(),
});

export const webhookDeliveryList = z.strictObject({
  deliveries: z.array(webhookDelivery),
  /** All that are kept. */
  total: count,
  limit: count,
  offset: count,
});

/** The body that is sent to a webhook. */
export const webhookMessage = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("job.completed"), timestamp: time, data: job }),
  z.strictObject({ type: z.literal("job.failed"), timestamp: time, data: job }),
  z.strictObject({
    type: z.literal("project.deleted"),
    timestamp: time,
    data: z.strictObject({ project_id: z.string(), name: z.string() }),
  }),
  z.strictObject({
    type: z.literal("webhook.test"),
    timestamp: time,
    data: z.strictObject({ webhook_id: z.string() }),
  }),
]);
