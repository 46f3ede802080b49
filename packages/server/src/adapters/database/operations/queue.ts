/** Leases of jobs, and whether there is a job to claim. */
import { sql } from "kysely";
import type { LeftToOthers } from "../../../domain/service-process.ts";
import type { Database } from "../schema.ts";
import { afterPause } from "./interruptions.ts";
import { nextProject } from "./next-project.ts";

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
): Promise<readonly string[]> {
  const held = await db
    .updateTable("jobs")
    .set({ ready_at: afterPause(input.leaseUntil) })
    .where("lease_token", "=", input.leaseToken)
    .returning("job_id")
    .execute();
  return held.map((row) => row.job_id);
}

export async function expireAllLeases(db: Database, { now }: { now: number }): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ ready_at: afterPause(now) })
    .where("lease_token", "is not", null)
    .executeTakeFirstOrThrow();
  await db
    .updateTable("jobs")
    .set({ convert_at: afterPause(now) })
    .where("convert_token", "is not", null)
    .execute();
  await db
    .updateTable("reembeddings")
    .set({ ready_at: afterPause(now) })
    .where("lease_token", "is not", null)
    .execute();
  await db
    .updateTable("webhooks")
    .set({ ready_at: 0, lease_token: null })
    .where("lease_token", "is not", null)
    .execute();
  return Number(numUpdatedRows);
}

export async function nextWork(
  db: Database,
  { now, left = null }: { now: number; left?: LeftToOthers | null },
): Promise<{ readyNow: boolean }> {
  const { rows } = await sql`
    select s.account_id from account_state s
    where s.pending_jobs > 0 and ${nextProject(now, left)} is not null
    limit 1`.execute(db);
  return { readyNow: rows.length > 0 };
}
