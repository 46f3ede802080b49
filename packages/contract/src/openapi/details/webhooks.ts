import * as bodies from "../../bodies.ts";
import {
  type ErrorAnswer,
  IDEMPOTENCY_KEY,
  LAST_EVENT_ID,
  type OperationDetails,
  RATE_LIMIT,
} from "../operation-details.ts";
import { exampleJob, ingestErrors, notAuthorized } from "./ingestion.ts";

const webhook = {
  webhook_id: "whk_8277e0910d750195b448797616e091ad",
  url: "https://hooks.example/knowledge",
  events: ["job.completed", "job.failed"],
  description: "Search of the intranet",
  status: "enabled",
  disabled_reason: null,
  disabled_at: null,
  created_at: "2031-05-03T09:10:00.000Z",
};

const delivery = {
  delivery_id: "msg_e1671797c52e15f763380b45e841ec32",
  event: "job.completed",
  project_id: "prj_4f8a1c2d9b3e4a5f8c7d6e5f4a3b2c1d",
  job_id: "job_7d1f0c52a9e84b36b1f2c3d4e5f60718",
  source_doc_id: "lighthouse",
  status: "delivered",
  attempts: 1,
  created_at: "2031-05-03T09:15:01.022Z",
  last_attempt_at: "2031-05-03T09:15:01.100Z",
  next_attempt_at: null,
  response_status: 204,
  duration_ms: 48,
  error: null,
};

/** What the URL of a webhook receives. */
export const webhookOperation = (messageUri: string) => ({
  operationId: "receiveEvent",
  summary: "An event of the account, signed as specified by Standard Webhooks",
  description:
    "`webhook-id` identifies the event and is the same in every attempt. The message is accepted by any 2xx status.",
  tags: ["Webhooks"],
  security: [],
  parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
    name,
    in: "header",
    required: true,
    schema: { type: "string" },
  })),
  requestBody: { required: true, content: { "application/json": { schema: { $ref: messageUri } } } },
  responses: { "2XX": { description: "The message is accepted" } },
});

const tooManyStreams: ErrorAnswer = {
  status: 429,
  detail: "At most <count> event streams of an account are open at once. Close one first.",
  when: "The account has reached its maximum number of open event streams.",
};

const events =
  "Server-sent events named `progress`, `completed`, `failed` and `cancelled`, each with the current state of the job. `Last-Event-ID` resumes a stream.";

export const jobEventDetails = {
  watchJob: {
    tag: "Jobs",
    description: `${events} The stream ends with the job.`,
    headers: [LAST_EVENT_ID],
    noContent: "The client already has the last event of the job.",
    errors: [notAuthorized, tooManyStreams],
  },
  watchProject: {
    tag: "Jobs",
    description: `${events} The stream covers all jobs of the project and ends when the client disconnects. It starts with the event \`begin\`, whose data is \`{}\` and whose id is the place from which a client that reconnects continues.`,
    headers: [LAST_EVENT_ID],
    errors: [notAuthorized, tooManyStreams],
  },
  cancelJob: {
    tag: "Jobs",
    description:
      "The job ends as `failed` with the message `Cancelled`; the document's previous version stays. For a job that is already cancelled the response is that job, unchanged.",
    example: { ...exampleJob, status: "failed", error_message: "Cancelled" },
    errors: [
      notAuthorized,
      {
        status: 409,
        detail: "Job <job_id> is completed. Only a pending or running job can be cancelled.",
        when: "The job has ended.",
      },
    ],
  },
  retryJob: {
    tag: "Jobs",
    description: "Creates a new job for the same text. Counts as an ingest request.",
    headers: [IDEMPOTENCY_KEY],
    answerHeaders: RATE_LIMIT,
    example: { job_id: exampleJob.job_id, status: "pending", created_at: "2031-05-03T09:20:00.000Z" },
    errors: [
      notAuthorized,
      {
        status: 409,
        detail: "Job <job_id> is completed. Only a failed job can be retried.",
        when: "The job has not failed.",
      },
      {
        status: 409,
        detail:
          "The text of job <job_id> is no longer kept, because the document was ingested again or deleted, or the job was cancelled. Ingest it again.",
        when: "The text is no longer stored.",
      },
      ...ingestErrors,
    ],
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;

export const webhookDetails = {
  createWebhook: {
    tag: "Webhooks",
    description:
      "Messages are signed as specified by Standard Webhooks. The secret is returned in this response only. The URL must be public and use HTTPS unless the operator allows more.",
    headers: [IDEMPOTENCY_KEY],
    body: {
      name: "CreateWebhook",
      schema: bodies.createWebhookBody,
      example: {
        url: "https://hooks.example/knowledge",
        events: ["job.completed", "job.failed"],
        description: "Search of the intranet",
      },
    },
    example: { ...webhook, secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" },
    errors: [
      {
        status: 429,
        detail:
          "The account has <count> webhooks, as many as it may have. Delete one that is no longer needed.",
        when: "The account has reached its maximum number of webhooks.",
      },
    ],
  },
  listWebhooks: {
    tag: "Webhooks",
    description: "All webhooks of the account, newest first, without their secrets.",
    example: { webhooks: [webhook] },
  },
  getWebhook: {
    tag: "Webhooks",
    description: "When the webhook is disabled, `disabled_reason` says why.",
    example: webhook,
  },
  changeWebhook: {
    tag: "Webhooks",
    description:
      "Changes what the body has; the secret stays, and a `description` of null is removed. The URL is checked as at creation. With another URL, deliveries that wait go there. `status` `disabled` ends the deliveries that wait as failed, and no further events are written for the webhook until it is `enabled`; a test does not enable what its owner has disabled.",
    body: {
      name: "ChangeWebhook",
      schema: bodies.changeWebhookBody,
      example: { events: ["job.failed"], status: "enabled" },
    },
    example: { ...webhook, events: ["job.failed"] },
  },
  deleteWebhook: { tag: "Webhooks", description: "Pending deliveries are discarded." },
  listWebhookDeliveries: {
    tag: "Webhooks",
    description: "The event, what it is about, the time and the result of each delivery, newest first.",
    query: bodies.deliveryListParameters,
    example: { deliveries: [delivery], total: 1, limit: 100, offset: 0 },
  },
  testWebhook: {
    tag: "Webhooks",
    description: "Sends `webhook.test` once, immediately, and returns the delivery with its result.",
    example: { ...delivery, event: "webhook.test", project_id: null, job_id: null, source_doc_id: null },
    errors: [
      {
        status: 429,
        detail: "Another test is being sent. Try again shortly.",
        when: "The account already sends a test, or too many accounts do.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
