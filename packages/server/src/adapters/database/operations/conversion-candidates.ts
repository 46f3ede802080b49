/** Which accounts have a job whose file can be turned into text, or whose page can be fetched. */
import { type SqlBool, sql } from "kysely";
import type { FileStore } from "../../../ports/file-store.ts";
import type { Database } from "../schema.ts";
import { strayAfter } from "./stray-times.ts";

/** Accounts whose project is tried without waiting for its lock; then the claim waits for the first. */
const maxCandidates = 5;
/** A literal, as in the partial index. */
export const isUnread = sql<SqlBool>`queue_state = 'unread'`;

type Claim = Parameters<FileStore["claimConversion"]>[0];

export function isDue(now: number) {
  return sql<SqlBool>`(convert_at <= ${now} or convert_at > ${strayAfter(now)})`;
}

/** Whether a job is of the kind; undefined: either. */
export function isOnly(only: "pages" | "files" | undefined) {
  if (only === undefined) return sql<SqlBool>`1 = 1`;
  return sql<SqlBool>`is_page = ${sql.lit(only === "pages" ? 1 : 0)}`;
}

/** The project of the account's first job. */
function firstProject(now: number, only: "pages" | "files" | undefined) {
  return sql`select j.project_id from jobs j
    where j.account_id = s.account_id and ${isUnread} and ${isOnly(only)} and ${isDue(now)}
    order by j.convert_at limit 1`;
}

/** One project for each of the accounts with such a job, those served longest ago first. */
export async function listCandidates(
  db: Database,
  { now, exceptAccounts = [], only }: Pick<Claim, "now" | "exceptAccounts" | "only">,
): Promise<readonly string[]> {
  const isLeftOut =
    exceptAccounts.length === 0 ? sql`` : sql`and s.account_id not in (${sql.join(exceptAccounts)})`;
  const { rows } = await sql<{ project_id: string }>`
    select project_id from (
      select s.account_id, s.converted_at, (${firstProject(now, only)}) as project_id
      from account_state s where s.pending_jobs > 0 ${isLeftOut}
    ) candidates
    where project_id is not null
    order by converted_at, account_id
    limit ${sql.lit(maxCandidates)}`.execute(db);
  return rows.map((row) => row.project_id);
}
