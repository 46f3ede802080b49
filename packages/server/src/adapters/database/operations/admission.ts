/** The limits of an account that decide whether it may have documents ingested. */
import type { AcceptOutcome, IngestLimits, RateLeft } from "../../../ports/store.ts";
import type { AccountStateRow, Database } from "../schema.ts";
import { readTokens } from "./token-meter.ts";

const rateWindowMs = 60_000;

/** What a request adds to its account. */
export interface Demand {
  readonly account: AccountStateRow;
  readonly jobs: number;
  readonly bytes: number;
}

export async function findRefusal(
  db: Database,
  input: IngestLimits,
  { account, jobs, bytes }: Demand,
): Promise<AcceptOutcome | null> {
  const retryAfterMs = await findRateWait(db, input);
  if (retryAfterMs !== null) return { kind: "rate_limited", retryAfterMs };
  if (input.tokenLimit !== null && (await readTokens(db, input)) >= input.tokenLimit) {
    return { kind: "token_limit" };
  }
  const { maxPendingJobs, maxStoredBytes } = input;
  if (maxPendingJobs !== null && account.pending_jobs + jobs > maxPendingJobs) {
    return { kind: "too_many_pending" };
  }
  if (maxStoredBytes !== null && account.stored_bytes + bytes > maxStoredBytes) {
    return { kind: "too_many_bytes" };
  }
  return null;
}

/** Counts the request towards the rate, under a `seq` that the caller takes from the account's counter. */
export async function countRequest(db: Database, input: IngestLimits, seq: number): Promise<AcceptOutcome> {
  if (input.requestsPerMinute === null) return { kind: "accepted" };
  await db
    .insertInto("rate_requests")
    .values({ account_id: input.accountId, seq, requested_at: input.now })
    .execute();
  return { kind: "accepted", rate: await readRateLeft(db, input, input.requestsPerMinute) };
}

async function readRateLeft(db: Database, input: IngestLimits, limit: number): Promise<RateLeft> {
  const { count, oldest } = await db
    .selectFrom("rate_requests")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("requested_at").as("oldest")])
    .where("account_id", "=", input.accountId)
    .executeTakeFirstOrThrow();
  return { requests: Math.max(0, limit - count), resetMs: (oldest ?? input.now) + rateWindowMs - input.now };
}

/**
 * Milliseconds until the account may ingest again; null when it may now. With a limit of n, the n-th newest request decides:
 * once it is a minute old, fewer than n count. A request with a time in the future (the clock was set back) counts as made now,
 * so that no wait is longer than a minute.
 */
async function findRateWait(db: Database, input: IngestLimits): Promise<number | null> {
  if (input.requestsPerMinute === null) return null;
  if (input.requestsPerMinute <= 0) return rateWindowMs;
  await db
    .deleteFrom("rate_requests")
    .where("account_id", "=", input.accountId)
    .where("requested_at", "<=", input.now - rateWindowMs)
    .execute();
  await db
    .updateTable("rate_requests")
    .set({ requested_at: input.now })
    .where("account_id", "=", input.accountId)
    .where("requested_at", ">", input.now)
    .execute();
  const deciding = await db
    .selectFrom("rate_requests")
    .select("requested_at")
    .where("account_id", "=", input.accountId)
    .orderBy("requested_at", "desc")
    .orderBy("seq", "desc")
    .limit(1)
    .offset(input.requestsPerMinute - 1)
    .executeTakeFirst();
  return deciding === undefined ? null : deciding.requested_at + rateWindowMs - input.now;
}
