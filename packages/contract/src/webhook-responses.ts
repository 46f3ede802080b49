import { z } from "zod";
import { count, time } from "./answer-fields.ts";
import { job } from "./job-responses.ts";

/** The events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = ["job.completed", "job.failed", "project.deleted"] as const;

export const webhook = z.strictObject({
  webhook_id: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  description: z.string().nullable(),
  status: z.enum(["enabled", "disabled"]),
  /** Why deliveries have stopped; null while the webhook is enabled. */
  disabled_reason: z.string().nullable(),
  disabled_at: time.nullable(),
  created_at: time,
});

/** The only response with the secret, which is `whsec_` followed by base64. */
export const createdWebhook = webhook.extend({ secret: z.string() });

export const webhookList = z.strictObject({ webhooks: z.array(webhook) });

export const webhookDelivery = z.strictObject({
  /** The `webhook-id` header of every attempt, by which the receiver recognizes repeated deliveries. */
  delivery_id: z.string(),
  event: z.enum([...WEBHOOK_EVENTS, "webhook.test"]),
  /** What the event is about: null for a test; of a deleted project only its id. */
  project_id: z.string().nullable(),
  job_id: z.string().nullable(),
  source_doc_id: z.string().nullable(),
  status: z.enum(["pending", "delivered", "failed"]),
  attempts: count,
  created_at: time,
  last_attempt_at: time.nullable(),
  /** null when no further attempt follows. */
  next_attempt_at: time.nullable(),
  /** The status of the last attempt; null when there was no response. */
  response_status: count.nullable(),
  duration_ms: count.nullable(),
  error: z.string().nullable(),
});

export const webhookDeliveryList = z.strictObject({
  deliveries: z.array(webhookDelivery),
  /** Number of deliveries that are stored, in the given state. */
  total: count,
  limit: count,
  offset: count,
});

/** The `data` of messages about a project and a test. Generators of clients need a name for each of them. */
export const deletedProject = z.strictObject({ project_id: z.string(), name: z.string() });
export const testedWebhook = z.strictObject({ webhook_id: z.string() });

/** The request body that a webhook receives. */
export const webhookMessage = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("job.completed"), timestamp: time, data: job }),
  z.strictObject({ type: z.literal("job.failed"), timestamp: time, data: job }),
  z.strictObject({ type: z.literal("project.deleted"), timestamp: time, data: deletedProject }),
  z.strictObject({ type: z.literal("webhook.test"), timestamp: time, data: testedWebhook }),
]);
