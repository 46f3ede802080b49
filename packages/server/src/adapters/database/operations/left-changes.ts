/**
 * Which projects have changes left that their graph does not follow yet, and in which order upkeep takes steps for them. It is asked before each
 * step, so it goes from project to project by the keys, and counts few rows of each. It takes a statement for each project, because Citus refuses a
 * recursive query over several shards.
 */
import { sql } from "kysely";
import type { Database } from "../schema.ts";
import { isLessonLeft } from "./lessons.ts";

/** Of more, others come in another minute. */
const maxProjects = 32;
/** Rows of a table that tell how much a project has left. */
const maxCounted = 256;
const turnMs = 60_000;
/** Spreads the minutes over all ids. */
const spread = 0x9e3779b1;

/** Ids of projects, from another place of all ids on each minute. */
export async function findLeft(db: Database, now: number): Promise<readonly string[]> {
  const first = `prj_${placeOf(now)}`;
  const found: string[] = [];
  for (const [from, until] of [
    [first, null],
    ["", first],
  ] as const) {
    let after: string = from;
    while (found.length < maxProjects) {
      const next = await findNext(db, after);
      if (next === null || (until !== null && next > until)) break;
      found.push(next);
      after = next;
    }
  }
  return found;
}

async function findNext(db: Database, after: string): Promise<string | null> {
  // PostgreSQL reads the whole index for `min` where it does not know the new rows.
  const first = (table: string, condition = sql``) =>
    sql`select project_id from (
      select project_id from ${sql.table(table)} where project_id > ${after} ${condition} order by project_id limit 1)`;
  const { rows } = await sql<{ id: string | null }>`
    select min(project_id) as id from (
      ${first("version_changes")} as changed
      union all ${first("outdated_facts")} as outdated
      union all ${first("lessons", sql`and ${isLessonLeft}`)} as learned) as next`.execute(db);
  return rows[0]?.id ?? null;
}

/** One project of each account first, those of the account with the least left before others. */
export async function inTurns(
  db: Database,
  projectIds: readonly string[],
  now: number,
): Promise<readonly string[]> {
  if (projectIds.length === 0) return [];
  const owned = await db
    .selectFrom("projects")
    .select(["project_id", "account_id"])
    .where("project_id", "in", [...projectIds])
    .orderBy("project_id")
    .execute();
  const accounts = Map.groupBy(owned, (row) => row.account_id);
  const place = Number.parseInt(placeOf(now), 16);
  const left: {
    readonly id: string;
    readonly turn: number;
    readonly chunks: number;
    readonly order: number;
  }[] = [];
  for (const [at, projects] of [...accounts.values()].entries()) {
    let chunks = 0;
    for (const { project_id: id } of projects) chunks += await countLeft(db, id);
    // Of accounts with as much left, another one is first each minute.
    const order = (at + place) % accounts.size;
    for (const [turn, { project_id: id }] of projects.entries()) left.push({ id, turn, chunks, order });
  }
  return left.sort((a, b) => a.turn - b.turn || a.chunks - b.chunks || a.order - b.order).map(({ id }) => id);
}

/** Chunks of the first rows. */
async function countLeft(db: Database, projectId: string): Promise<number> {
  const limit = sql.lit(maxCounted);
  const { rows } = await sql<{ chunks: number }>`
    select cast(coalesce(sum(chunks), 0) as bigint) as chunks from (
      select chunks from (
        select chunk_count as chunks from version_changes where project_id = ${projectId} limit ${limit}) as changed
      union all select chunks from (
        select 1 as chunks from outdated_facts where project_id = ${projectId} limit ${limit}) as outdated
      union all select chunks from (
        select 1 as chunks from lessons where project_id = ${projectId} and ${isLessonLeft} limit ${limit}) as learned
    ) as counted`.execute(db);
  return rows[0]?.chunks ?? 0;
}

function placeOf(now: number): string {
  return (Math.imul(Math.floor(now / turnMs), spread) >>> 0).toString(16).padStart(8, "0");
}
