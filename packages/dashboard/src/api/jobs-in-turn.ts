import type { Job, JobList } from "@kcs/sdk";

export interface JobPage {
  readonly limit: number;
  readonly offset: number;
}

/** A page of the lists one behind the other. A job that changes its state meanwhile can be in two of them. */
export async function listInTurn<State>(
  states: readonly State[],
  { limit, offset }: JobPage,
  list: (state: State, page: JobPage) => Promise<Pick<JobList, "jobs" | "total">>,
): Promise<Pick<JobList, "jobs">> {
  const jobs = new Map<string, Job>();
  let before = 0;
  for (const state of states) {
    if (jobs.size >= limit) break;
    const page = { limit: limit - jobs.size, offset: Math.max(0, offset - before) };
    const listed = await list(state, page);
    for (const job of listed.jobs) if (!jobs.has(job.job_id)) jobs.set(job.job_id, job);
    before += listed.total;
  }
  return { jobs: [...jobs.values()] };
}
