/** What accounts use, by day and project. */
import { sql } from "kysely";
import { dayOf, type UsageDay } from "../../../domain/usage.ts";
import type { AccountUse, QueryCount } from "../../../ports/usage-store.ts";
import type { Database } from "../schema.ts";
import { insertAll, type Row } from "./graph-sql.ts";
import { readTokens } from "./token-meter.ts";

const maxListed = 10_000;
const columns = {
  account_id: "text",
  project_id: "text",
  day: "text",
  tokens: "bigint",
  documents: "bigint",
  chunks: "bigint",
  queries: "bigint",
} as const;

/** Adds to the counts of the day. The last that a transaction does: it waits for this row while it holds the account's. */
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
  const rows = input.counts.map(
    ({ accountId, projectId, day, queries }): Row => [accountId, projectId, day, 0, 0, 0, queries],
  );
  // In one order, so that two processes that add at once do not wait for each other.
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

export async function listUsage(
  db: Database,
  { accountId, from, to }: { accountId: string; from: string; to: string },
): Promise<readonly UsageDay[]> {
  const within = sql`account_id = ${accountId} and day >= ${from} and day <= ${to}`;
  const total = (column: string) => sql`cast(sum(${sql.ref(column)}) as bigint)`;
  const { rows } = await sql<Omit<UsageDay, "projectId"> & { project_id: string }>`
    select project_id, day, ${total("tokens")} as tokens, ${total("documents")} as documents,
      ${total("chunks")} as chunks, ${total("queries")} as queries,
      ${total("calls")} as "modelCalls", ${total("model_tokens")} as "modelTokens"
    from (
      select project_id, day, tokens, documents, chunks, queries, 0 as calls, 0 as model_tokens
      from usage_days where ${within}
      union all
      select project_id, day, 0, 0, 0, 0, calls, input_tokens + output_tokens
      from model_usage where ${within}) as used
    group by day, project_id order by day desc, project_id desc limit ${sql.lit(maxListed)}`.execute(db);
  // What belongs to no project is metered under "".
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
