import { sql } from "kysely";
import type { ColumnTypes, Migration } from "./migration.ts";

/** Progress of jobs and the order in which they end, webhooks with their outbox, and idempotency keys. */
export const events: Migration = {
  number: 5,
  name: "events",
  statements: (types) => [
    sql`alter table jobs add column chunks_total ${types.integer}`,
    // Jobs that ended before this migration have no place: no client has seen places yet.
    sql`alter table jobs add column ended_place ${types.integer}`,
    sql`alter table projects add column ended_jobs ${types.integer} not null default 0`,
    sql`create index jobs_by_ended_place on jobs (project_id, ended_place) where ended_place is not null`,
    ...webhookTables(types),
    sql`create table request_keys (
      account_id ${types.text} not null,
      request_key ${types.text} not null,
      seq ${types.integer} not null,
      fingerprint ${types.text} not null,
      created_at ${types.integer} not null,
      encoding ${types.text} not null,
      answer ${types.bytes} not null,
      bytes_before ${types.integer} not null,
      primary key (account_id, request_key)
    ) ${types.end}`,
    sql`create index request_keys_by_seq on request_keys (account_id, seq)`,
    sql`create index request_keys_by_age on request_keys (created_at)`,
  ],
};

function webhookTables({ text, integer, identity, end }: ColumnTypes) {
  return [
    sql`create table webhooks (
      account_id ${text} not null,
      webhook_id ${text} not null,
      account_seq ${integer} not null,
      url ${text} not null,
      events ${text} not null,
      description ${text},
      secret ${text} not null,
      created_at ${integer} not null,
      disabled_reason ${text},
      disabled_at ${integer},
      pending ${integer} not null,
      failures ${integer} not null,
      delivered_at ${integer},
      ready_at ${integer} not null,
      lease_token ${text},
      primary key (account_id, webhook_id)
    ) ${end}`,
    sql`create index webhooks_by_turn on webhooks (ready_at, webhook_id) where pending > 0`,
    sql`create index webhooks_by_lease on webhooks (lease_token) where lease_token is not null`,
    sql`create table webhook_deliveries (
      seq ${identity},
      account_id ${text} not null,
      webhook_id ${text} not null,
      delivery_id ${text} not null,
      event_type ${text} not null,
      event ${text} not null,
      status ${text} not null,
      attempts ${integer} not null,
      created_at ${integer} not null,
      next_at ${integer},
      last_at ${integer},
      duration_ms ${integer},
      response_status ${integer},
      error ${text}
    ) ${end}`,
    sql`create index deliveries_by_webhook on webhook_deliveries (account_id, webhook_id, seq)`,
    sql`create unique index deliveries_by_id on webhook_deliveries (account_id, webhook_id, delivery_id)`,
    sql`create index deliveries_due on webhook_deliveries (account_id, webhook_id, next_at) where next_at is not null`,
  ];
}
