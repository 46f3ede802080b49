import type { Generated } from "kysely";

export interface WebhookRow {
  readonly account_id: string;
  readonly webhook_id: string;
  /** Place among what its account ever made. */
  readonly account_seq: number;
  readonly url: string;
  /** A JSON array of event types. */
  readonly events: string;
  readonly description: string | null;
  /** In clear: every delivery is signed with it. */
  readonly secret: string;
  readonly created_at: number;
  readonly disabled_reason: string | null;
  readonly disabled_at: number | null;
  /** Deliveries with a `next_at`. */
  readonly pending: number;
  /** Tries that failed since the last one that did not. */
  readonly failures: number;
  /** When a try last succeeded. */
  readonly delivered_at: number | null;
  /** Not claimed before; the end of the lease where there is one. */
  readonly ready_at: number;
  readonly lease_token: string | null;
}

export interface WebhookDeliveryRow {
  /** The order in which the events happened. */
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

/** A request that was carried out. */
export interface RequestKeyRow {
  readonly account_id: string;
  readonly request_key: string;
  /** Ascending in the account. */
  readonly seq: number;
  readonly fingerprint: string;
  readonly created_at: number;
  readonly encoding: "utf8" | "zstd";
  readonly answer: Uint8Array;
  /** Bytes of all answers of the account before this one, those that are gone included. */
  readonly bytes_before: number;
}
