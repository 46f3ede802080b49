import { sql } from "kysely";
import type { Database } from "../schema.ts";

/** At most so many accounts are counted as waiting. */
const maxCountedAccounts = 100;

export async function releaseJobs(db: Database, input: { leaseToken: string }): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ queue_state: "ready", ready_at: null, lease_token: null })
    .where("lease_token", "=", input.leaseToken)
    .execute();
}

export async function renewLease(
  db: Database,
  input: { leaseToken: string; leaseUntil: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ ready_at: input.leaseUntil })
    .where("lease_token", "=", input.leaseToken)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function expireAllLeases(db: Database): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ ready_at: 0 })
    .where("lease_token", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/**
 * Looks at one entry of `jobs_ready_by_account` and `jobs_due_by_account` for each account with
 * unfinished jobs, however many jobs those are. The subqueries are ordered and limited, so that
 * PostgreSQL does not answer them by hashing all ready jobs (13 ms with 50,000 of them).
 */
export async function nextWork(
  db: Database,
  input: { now: number },
): Promise<{ readyNow: boolean; otherAccountsReady: number; nextAt: number | null }> {
  const counted = await sql<{ ready: number }>`
    select count(*) as ready from (
      select s.account_id from account_state s where s.pending_jobs > 0 and coalesce(
        (select j.seq from jobs j where j.account_id = s.account_id and j.queue_state = 'ready'
          order by j.seq limit 1),
        (select j.seq from jobs j where j.account_id = s.account_id and j.ready_at is not null
          and j.ready_at <= ${input.now} order by j.ready_at limit 1)) is not null
      limit ${maxCountedAccounts}
    ) accounts`.execute(db);
  const ready = counted.rows[0]?.ready ?? 0;
  if (ready > 0) return { readyNow: true, otherAccountsReady: ready - 1, nextAt: null };
  const { rows } = await sql<{ next_at: number | null }>`
    select min(account_next) as next_at from (
      select (select j.ready_at from jobs j where j.account_id = s.account_id and j.ready_at is not null
        order by j.ready_at limit 1) as account_next
      from account_state s where s.pending_jobs > 0
    ) accounts`.execute(db);
  return { readyNow: false, otherAccountsReady: 0, nextAt: rows[0]?.next_at ?? null };
}
