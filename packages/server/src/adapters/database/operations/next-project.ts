/** The project of an account whose jobs are claimed next. */
import { type RawBuilder, sql } from "kysely";
import type { LeftToOthers } from "../../../domain/service-process.ts";
import { isLeft } from "./processes.ts";
import { strayAfter } from "./stray-times.ts";

/**
 * A scalar subquery on the account `s`: the id of a project with a job to claim, or null. Due jobs come before ready ones, because they are
 * older; of projects with ready jobs, the next one by id after the one that was served last, so that one with few jobs need not wait for one
 * with many. Reads one or two entries of `jobs_due_by_account` and of `jobs_ready_by_turn`, independent of the number of waiting jobs. The
 * subqueries are ordered and limited; otherwise PostgreSQL hashes all ready jobs (13 ms with 50,000 jobs).
 *
 * Where projects are left to other processes, their jobs may be the first in those indexes, however many. Then the account's projects are read,
 * and one entry of each index by project.
 */
export function nextProject(now: number, left: LeftToOthers | null): RawBuilder<string | null> {
  const isDue = sql`j.ready_at is not null and j.ready_at <= ${now}`;
  const isStray = sql`j.ready_at is not null and j.ready_at > ${strayAfter(now)} and j.queue_state = 'waiting'`;
  const { oldest, readyAfter } = left === null ? ofAccount : ofProjects(left);
  const inTurn = sql`${readyAfter(sql`s.served_project`)}, ${readyAfter(sql`''`)}`;
  return sql`coalesce(${oldest(isDue)}, ${oldest(isStray)}, ${inTurn})`;
}

interface FirstProject {
  /** That with the job that has waited longest. */
  oldest(isClaimable: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The first by id, after this one, that has a ready job. */
  readyAfter(projectId: RawBuilder<unknown>): RawBuilder<unknown>;
}

const ofAccount: FirstProject = {
  oldest: (isClaimable) => sql`(select j.project_id from jobs j
    where j.account_id = s.account_id and ${isClaimable} order by j.ready_at limit 1)`,
  readyAfter: (projectId) => sql`(select j.project_id from jobs j
    where j.account_id = s.account_id and j.queue_state = 'ready' and j.project_id > ${projectId}
    order by j.project_id, j.seq limit 1)`,
};

function ofProjects(left: LeftToOthers): FirstProject {
  const candidates = sql`select p.project_id from projects p
    where p.account_id = s.account_id and not ${isLeft(left)}`;
  return {
    oldest(isClaimable) {
      const since = sql`select j.ready_at from jobs j
        where j.project_id = p.project_id and ${isClaimable} order by j.ready_at limit 1`;
      return sql`(${candidates} and exists (${since}) order by (${since}), p.project_id limit 1)`;
    },
    readyAfter: (projectId) => sql`(${candidates} and p.project_id > ${projectId}
      and exists (select 1 from jobs j where j.project_id = p.project_id and j.queue_state = 'ready')
      order by p.project_id limit 1)`,
  };
}
