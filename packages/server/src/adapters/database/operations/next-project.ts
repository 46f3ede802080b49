/** The project of an account whose jobs are claimed next. */
import { type RawBuilder, sql } from "kysely";
import type { LeftToOthers } from "../../../domain/service-process.ts";
import { isLeft } from "./processes.ts";
import { strayAfter } from "./stray-times.ts";

/**
 * A scalar subquery on the account `s`: the id of a project with a job to claim, or null. Due jobs come before ready ones, because they are
 * older. Reads one or two entries of `jobs_due_by_account` and one of `jobs_ready_by_account`, independent of the number of waiting jobs. The
 * subqueries are ordered and limited; otherwise PostgreSQL hashes all ready jobs (13 ms with 50,000 jobs).
 *
 * Where projects are left to other processes, their jobs may be the first in those indexes, however many. Then the account's projects are read,
 * and one entry of each index by project.
 */
export function nextProject(now: number, left: LeftToOthers | null): RawBuilder<string | null> {
  const isDue = sql`j.ready_at is not null and j.ready_at <= ${now}`;
  const isStray = sql`j.ready_at is not null and j.ready_at > ${strayAfter(now)} and j.queue_state = 'waiting'`;
  const isReady = sql`j.queue_state = 'ready'`;
  const first = left === null ? firstOfAccount : firstOfProjects(left);
  return sql`coalesce(${first(isDue, "ready_at")}, ${first(isStray, "ready_at")}, ${first(isReady, "seq")})`;
}

type FindFirst = (isClaimable: RawBuilder<unknown>, order: "ready_at" | "seq") => RawBuilder<unknown>;

const firstOfAccount: FindFirst = (isClaimable, order) => sql`(select j.project_id from jobs j
  where j.account_id = s.account_id and ${isClaimable} order by ${sql.ref(`j.${order}`)} limit 1)`;

function firstOfProjects(left: LeftToOthers): FindFirst {
  return (isClaimable, order) => {
    const ofProject = sql`select ${sql.ref(`j.${order}`)} from jobs j
      where j.project_id = p.project_id and ${isClaimable} order by ${sql.ref(`j.${order}`)} limit 1`;
    return sql`(select p.project_id from projects p
      where p.account_id = s.account_id and not ${isLeft(left)} and exists (${ofProject})
      order by (${ofProject}), p.project_id limit 1)`;
  };
}
