import type { Generated } from "kysely";

export interface WebhookRow {
  readonly account_id: string;
  readonly webhook_id: string;
  /** From the account's counter: the order in which the account created things. */
  readonly account_seq: number;
  readonly url: string;
  /** A JSON array of event types. */
  readonly events: string;
  readonly description: string | null;
  /** In plain text, because every delivery is signed with it. */
  readonly secret: string;
  readonly created_at: number;
  readonly disabled_reason: string | null;
  readonly disabled_at: number | null;
  /** Number of deliveries with a `next_at`. */
  readonly pending: number;
  /** Consecutive failed attempts since the last successful one. */
  readonly failures: number;
  /** Time of the last successful attempt. */
  readonly delivered_at: number | null;
  /** Not claimed before this time, which is the end of the lease if the webhook is leased. */
  readonly ready_at: number;
  readonly lease_token: string | null;
}

export interface WebhookDeliveryRow {
  /** Orders deliveries by the time of their events. */
  readonly seq: Generated<number>;
  readonly account_id: string;
  readonly webhook_id: string;
  readonly delivery_id: string;
  readonly event_type: string;
  /** A `SentEvent` as JSON. */
  readonly event: string;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly created_at: number;
  readonly next_at: number | null;
  readonly last_at: number | null;
  readonly duration_ms: number | null;
  readonly response_status: number | null;
  readonly error: string | null;
}

/** An idempotency key of an executed request. */
export interface RequestKeyRow {
  readonly account_id: string;
  readonly request_key: string;
  /** Ascending per account. */
  readonly seq: number;
  readonly fingerprint: string;
  readonly created_at: number;
  readonly encoding: "utf8" | "zstd";
  readonly answer: Uint8Array;
  /** Total bytes of all earlier answers of the account, including deleted ones. */
  readonly bytes_before: number;
}
