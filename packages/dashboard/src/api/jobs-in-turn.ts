import type { Job, JobList } from "@kcs/sdk";

export interface JobPage {
  readonly limit: number;
  readonly offset: number;
}

interface Lists<State extends string> {
  /** The lengths of the lists: `total` of a page of jobs is its own length. */
  count(): Promise<Readonly<Record<State, number>>>;
  list(state: State, page: JobPage): Promise<Pick<JobList, "jobs">>;
}

/** A page of the lists one behind the other. A job that changes its state meanwhile can be in two of them. */
export async function listInTurn<State extends string>(
  states: readonly State[],
  { limit, offset }: JobPage,
  { count, list }: Lists<State>,
): Promise<Pick<JobList, "jobs">> {
  const jobs = new Map<string, Job>();
  const lengths = offset === 0 ? null : await count();
  let before = 0;
  for (const state of states) {
    if (jobs.size >= limit) break;
    const start = Math.max(0, offset - before);
    const length = lengths?.[state] ?? 0;
    before += length;
    if (start > 0 && start >= length) continue;
    const listed = await list(state, { limit: limit - jobs.size, offset: start });
    for (const job of listed.jobs) if (!jobs.has(job.job_id)) jobs.set(job.job_id, job);
  }
  return { jobs: [...jobs.values()] };
}
