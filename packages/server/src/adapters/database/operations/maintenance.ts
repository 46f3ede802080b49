/** Health, metrics, and removal of rows that are no longer needed. */
import { type RawBuilder, sql } from "kysely";
import type { MaintenanceStore, StoreCounts } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { cleanMoved } from "./clean-moved.ts";
import { clearDeletedProjects } from "./deleted-projects.ts";
import { removeLeftContents } from "./file-contents.ts";
import { divideLargeEntity } from "./graph-divide.ts";
import { reclaimModelRows } from "./models.ts";
import { removeCrowdedJobs, removeOldJobs } from "./old-jobs.ts";
import { failLeftDeliveries } from "./outbox.ts";
import { reclaimUsage } from "./usage.ts";
import { applyAnyChanges } from "./version-changes.ts";

type ReclaimInput = Parameters<MaintenanceStore["reclaim"]>[0];

/** Rate-limit rows count for one minute, and each request deletes the older ones of its account; rows of this age are leftovers. */
const rateRowLifeMs = 120_000;
const maxRateRows = 1_000;
/** One hour more than a key is valid. */
const requestKeyLifeMs = 25 * 60 * 60_000;
const maxRequestKeys = 500;

export async function ping(db: Database): Promise<void> {
  await db.selectFrom("projects").select("project_id").limit(1).execute();
}

/** In SQLite writes have turns in their thread, and wait for no lock. */
export function readCounts(db: Database): Promise<StoreCounts> {
  return countAll(db, sql`0`);
}

export function readServerCounts(db: Database): Promise<StoreCounts> {
  const waits = sql`(select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock')`;
  return countAll(db, waits);
}

/** Each number by an index of what is unfinished, failed or waits. */
async function countAll(db: Database, lockWaits: RawBuilder<unknown>): Promise<StoreCounts> {
  const { rows } = await sql<StoreCounts & { readonly unfinished: number }>`
    select
      ${lockWaits} as "lockWaits",
      (select count(*) from projects) as projects,
      (select cast(coalesce(sum(pending_jobs), 0) as bigint) from account_state) as unfinished,
      (select count(*) from jobs where status = 'running') as "jobsRunning",
      (select count(*) from jobs where status = 'failed') as "jobsFailed",
      (select min(created_at) from jobs where queue_state <> 'done') as "oldestJobAt",
      (select count(*) from webhook_deliveries where next_at is not null) as "deliveriesWaiting",
      (select min(created_at) from webhook_deliveries where next_at is not null) as "oldestDeliveryAt"`.execute(
    db,
  );
  const { unfinished, ...counts } = rows[0]!; // A select without a table has one row.
  return { ...counts, jobsPending: unfinished - counts.jobsRunning };
}

/**
 * On SQLite the engine also frees pages, up to `maxPages` of them. The first three parts lock a project each, which others of its account then wait
 * for: nothing else is done in the same transaction.
 */
export async function reclaim(db: Database, input: ReclaimInput): Promise<boolean> {
  const { part, now } = input;
  let more = false;
  const isPart = (which: ReclaimInput["part"]) => part === undefined || part === which;
  if (isPart("changes") && (await applyAnyChanges(db, input))) more = true;
  if (isPart("moves") && (await cleanMoved(db, now))) more = true;
  if (isPart("entities") && (await divideLargeEntity(db))) more = true;
  if (isPart("rows") && (await reclaimRows(db, input))) more = true;
  return more;
}

async function reclaimRows(db: Database, input: ReclaimInput): Promise<boolean> {
  const moreProjects = await clearDeletedProjects(db);
  const moreKeys = await dropRequestKeys(db, input.now - requestKeyLifeMs);
  const moreRates = await dropRateRows(db, input);
  const moreModelRows = await reclaimModelRows(db, input.now);
  const moreDays = await reclaimUsage(db, input.now);
  const moreJobs = await reclaimJobs(db, input);
  const moreFiles = await removeLeftContents(db, input.now);
  const moreDeliveries = await failLeftDeliveries(db);
  // Holds the row of an account, so nothing is waited for after it.
  const moreCrowded = input.endedJobs !== undefined && (await removeCrowdedJobs(db, input.endedJobs));
  const rest = moreKeys || moreRates || moreModelRows || moreDays || moreJobs || moreCrowded;
  return moreProjects || moreFiles || moreDeliveries || rest;
}

async function reclaimJobs(db: Database, { now, jobLifeMs }: ReclaimInput): Promise<boolean> {
  return jobLifeMs !== undefined && (await removeOldJobs(db, { now, until: now - jobLifeMs }));
}

/** Those of accounts that send no more keys; a request with a key drops its account's old ones. */
async function dropRequestKeys(db: Database, until: number): Promise<boolean> {
  const old = await db
    .selectFrom("request_keys")
    .select("created_at")
    .where("created_at", "<=", until)
    .orderBy("created_at")
    .limit(maxRequestKeys)
    .execute();
  const last = old.at(-1);
  if (last === undefined) return false;
  await db.deleteFrom("request_keys").where("created_at", "<=", last.created_at).execute();
  return old.length === maxRequestKeys;
}

async function dropRateRows(db: Database, input: { now: number }): Promise<boolean> {
  const old = await db
    .selectFrom("rate_requests")
    .select(["account_id", "seq"])
    .where("requested_at", "<=", input.now - rateRowLifeMs)
    .orderBy("requested_at")
    .limit(maxRateRows)
    .execute();
  if (old.length === 0) return false;
  const keys = old.map((row) => sql`(${row.account_id}, cast(${row.seq} as bigint))`);
  await sql`delete from rate_requests where (account_id, seq) in (values ${sql.join(keys)})`.execute(db);
  return old.length === maxRateRows;
}
