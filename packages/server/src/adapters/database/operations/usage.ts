/** Usage of accounts, by day and project. */
import { sql } from "kysely";
import { dayOf, type UsageDay } from "../../../domain/usage.ts";
import type { AccountUse, QueryCount } from "../../../ports/usage-store.ts";
import type { Database } from "../schema.ts";
import { insertAll, type Row, selectFor } from "./graph-sql.ts";
import { readTokens } from "./token-meter.ts";

const maxListed = 10_000;
/** A listing covers one year; the rest is for comparison with a late bill. */
const dayLifeMs = 400 * 86_400_000;
const maxReclaimed = 1_000;
/** The `day` of the row that has the sum of a project's older days. It is part of the project's sum, but not listed. */
const olderDays = "";
/** The `project_id` of what was used without a project, or by one that has been deleted. */
const withoutProject = "";
const columns = {
  account_id: "text",
  project_id: "text",
  day: "text",
  tokens: "bigint",
  documents: "bigint",
  chunks: "bigint",
  queries: "bigint",
} as const;

/** Adds to the counts of the day. Must be a transaction's last write: it may wait for this row while it holds the account's row. */
export async function addUsage(
  db: Database,
  use: { accountId: string; projectId: string; now: number } & Pick<
    UsageDay,
    "tokens" | "documents" | "chunks"
  >,
): Promise<void> {
  const { accountId, projectId, now, tokens, documents, chunks } = use;
  if (tokens === 0 && documents === 0 && chunks === 0) return;
  await addRows(db, [[accountId, projectId, dayOf(now), tokens, documents, chunks, 0]]);
}

export async function addQueries(db: Database, input: { counts: readonly QueryCount[] }): Promise<void> {
  const projects = await selectFor<{ project_id: string }>(db, {
    columns: { project_id: "text" },
    rows: input.counts.map(({ projectId }): Row => [projectId]),
    query: sql`select p.project_id from keys as k cross join projects as p where p.project_id = k.project_id`,
  });
  const known = new Set(projects.map((row) => row.project_id));
  const counts = new Map<string, { readonly place: Row; queries: number }>();
  for (const { accountId, projectId, day, queries } of input.counts) {
    const place: Row = [accountId, known.has(projectId) ? projectId : withoutProject, day];
    const count = counts.get(keyOf(place)) ?? { place, queries: 0 };
    counts.set(keyOf(place), count);
    count.queries += queries;
  }
  const rows = [...counts.values()].map(({ place, queries }): Row => [...place, 0, 0, 0, queries]);
  // Sorted, so that two processes that add rows concurrently cannot deadlock.
  await addRows(
    db,
    rows.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
  );
}

function keyOf(row: Row): string {
  return row.slice(0, 3).join("\n");
}

async function addRows(db: Database, rows: readonly Row[]): Promise<void> {
  await insertAll(db, {
    table: "usage_days",
    columns,
    rows,
    end: sql`on conflict (account_id, project_id, day) do update set
      tokens = usage_days.tokens + excluded.tokens, documents = usage_days.documents + excluded.documents,
      chunks = usage_days.chunks + excluded.chunks, queries = usage_days.queries + excluded.queries`,
  });
}

/** Sums days that are too old to be listed into one row per project; drops those of deleted projects. True when more may be left. */
export async function reclaimUsage(db: Database, now: number): Promise<boolean> {
  // Rows are deleted before they are summed, so that each row is summed by only one of two concurrent processes.
  const { rows } = await sql<UsageRow & { is_kept: number }>`
    delete from usage_days where (account_id, project_id, day) in (
      select account_id, project_id, day from usage_days
      where day > ${olderDays} and day < ${dayOf(now - dayLifeMs)}
      order by day limit ${sql.lit(maxReclaimed)})
    returning account_id, project_id, tokens, documents, chunks, queries,
      (select count(*) from projects as p where p.project_id = usage_days.project_id) as is_kept`.execute(db);
  const kept = Map.groupBy(
    rows.filter((row) => row.is_kept > 0),
    (row) => `${row.account_id}\n${row.project_id}`,
  );
  const sums = [...kept].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, same]) => sumOf(same));
  if (sums.length > 0) await addRows(db, sums);
  return rows.length === maxReclaimed;
}

type UsageRow = {
  readonly [Column in keyof typeof columns]: (typeof columns)[Column] extends "text" ? string : number;
};

function sumOf(rows: readonly UsageRow[]): Row {
  const total = (column: "tokens" | "documents" | "chunks" | "queries") =>
    rows.reduce((sum, row) => sum + row[column], 0);
  const [first] = rows;
  const ids = [first?.account_id ?? "", first?.project_id ?? "", olderDays];
  return [...ids, total("tokens"), total("documents"), total("chunks"), total("queries")];
}

/**
 * Adds what a project used, which is being deleted, to what its account used without one: otherwise projects that come and go leave any number
 * of rows. Its sum of older days is dropped. A transaction's last write, as `addUsage`.
 */
export async function keepUsageOfDeleted(
  db: Database,
  { accountId, projectId }: { readonly accountId: string; readonly projectId: string },
): Promise<void> {
  const { rows } = await sql<UsageRow>`
    delete from usage_days where account_id = ${accountId} and project_id = ${projectId}
    returning account_id, project_id, day, tokens, documents, chunks, queries`.execute(db);
  const days = rows
    .filter(({ day }) => day !== olderDays)
    .sort((one, other) => (one.day < other.day ? -1 : 1));
  await addRows(
    db,
    days.map(
      ({ day, tokens, documents, chunks, queries }): Row => [
        ...[accountId, withoutProject, day],
        ...[tokens, documents, chunks, queries],
      ],
    ),
  );
}

export async function listUsage(
  db: Database,
  { accountId, from, to }: { accountId: string; from: string; to: string },
): Promise<readonly UsageDay[]> {
  const within = sql`account_id = ${accountId} and day >= ${from} and day <= ${to}`;
  // Of each the latest rows, in the order of an index: an account may have a row for each of its projects and days.
  const latest = sql`order by day desc, project_id desc limit ${sql.lit(maxListed)}`;
  const total = (column: string) => sql`cast(sum(${sql.ref(column)}) as bigint)`;
  const { rows } = await sql<Omit<UsageDay, "projectId"> & { project_id: string }>`
    select project_id, day, ${total("tokens")} as tokens, ${total("documents")} as documents,
      ${total("chunks")} as chunks, ${total("queries")} as queries,
      ${total("calls")} as "modelCalls", ${total("model_tokens")} as "modelTokens"
    from (
      select * from (select project_id, day, tokens, documents, chunks, queries, 0 as calls, 0 as model_tokens
        from usage_days where ${within} ${latest}) as counted
      union all
      select * from (select project_id, day, 0 as tokens, 0 as documents, 0 as chunks, 0 as queries,
          sum(calls) as calls, sum(input_tokens + output_tokens) as model_tokens
        from model_usage where ${within} group by day, project_id ${latest}) as called) as used
    group by day, project_id ${latest}`.execute(db);
  return rows
    .reverse()
    .map(({ project_id: projectId, ...use }) => ({ projectId: projectId || null, ...use }));
}

export async function readAccountUse(
  db: Database,
  key: { accountId: string; month: string },
): Promise<AccountUse> {
  const account = await db
    .selectFrom("account_state")
    .select("stored_bytes")
    .where("account_id", "=", key.accountId)
    .executeTakeFirst();
  return { tokens: await readTokens(db, key), storedBytes: account?.stored_bytes ?? 0 };
}
