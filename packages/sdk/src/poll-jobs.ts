/** Polls many jobs at once: after the first look only those at work, the newest that have ended and a few others. */
import type { CallOptions } from "./transport.ts";
import type { Job } from "./wire.ts";

export interface JobSource {
  readonly get: (jobId: string, options: CallOptions) => Promise<Job>;
  /** Newest first. */
  readonly list: (
    page: { limit: number; offset: number; status?: Job["status"] },
    options: CallOptions,
  ) => Promise<readonly Job[]>;
}

/** Up to this number of open jobs are requested one by one; more are read from lists. */
const MAX_SINGLE_REQUESTS = 8;
/** Open jobs of which lists say nothing, looked at in each poll, each in its turn. */
const PROBES = 2;
const FIRST_PAGE = 100;
const LIST_PAGE = 1_000;
const MAX_LIST_PAGES = 100;

/**
 * Returns a function that reads the current state of some open jobs: sooner or later of each that has ended.
 * @param open the jobs that have not been seen to have ended; the caller takes them out
 */
export function createJobPoll(source: JobSource, open: ReadonlySet<string>, signal: AbortSignal) {
  let isFirst = true;
  let probed: string | null = null;
  let running: readonly string[] = [];

  /** Whole list, page by page, until all open jobs are found. */
  async function readAll(found: Map<string, Job>): Promise<void> {
    for (let page = 0; page < MAX_LIST_PAGES && found.size < open.size; page++) {
      const jobs = await source.list({ limit: LIST_PAGE, offset: page * LIST_PAGE }, { signal });
      for (const job of jobs) if (open.has(job.job_id)) found.set(job.job_id, job);
      if (jobs.length < LIST_PAGE) break;
    }
  }

  /** The service works on the oldest first, so that the newest of a state are those that have come to it last. */
  async function readNewest(status: Job["status"], found: Map<string, Job>): Promise<void> {
    let limit = FIRST_PAGE;
    for (let offset = 0, page = 0; page < MAX_LIST_PAGES; page++) {
      const jobs = await source.list({ limit, offset, status }, { signal });
      const news = jobs.filter(({ job_id }) => open.has(job_id));
      for (const job of news) found.set(job.job_id, job);
      if (news.length === 0 || jobs.length < limit) return;
      offset += limit;
      limit = Math.min(LIST_PAGE, 2 * limit);
    }
  }

  const getAll = (jobIds: readonly string[]) =>
    Promise.all(jobIds.map((jobId) => source.get(jobId, { signal })));

  /** The next ones after those of the last time, around the set. */
  function nextProbes(found: ReadonlyMap<string, Job>): readonly string[] {
    const missing = [...open].filter((jobId) => !found.has(jobId));
    const start = probed === null ? 0 : missing.indexOf(probed) + 1;
    const probes = [...missing.slice(start), ...missing.slice(0, start)].slice(0, PROBES);
    probed = probes.at(-1) ?? null;
    return probes;
  }

  return async (): Promise<readonly Job[]> => {
    const found = new Map<string, Job>();
    const add = (jobs: readonly Job[]) => {
      for (const job of jobs) found.set(job.job_id, job);
    };
    if (open.size <= MAX_SINGLE_REQUESTS) return getAll([...open]);
    if (isFirst) {
      await readAll(found);
      // New jobs shift the list between two pages. A job that the service does not have is told of at once.
      add(await getAll([...open].filter((jobId) => !found.has(jobId)).slice(0, MAX_SINGLE_REQUESTS)));
      isFirst = false;
      return [...found.values()];
    }
    await Promise.all(
      (["running", "completed", "failed"] as const).map((status) => readNewest(status, found)),
    );
    // They were at work and are not any more; the lists of those that have ended may have too many newer ones.
    const left = running.filter((jobId) => open.has(jobId) && !found.has(jobId));
    add(await getAll(left.slice(0, MAX_SINGLE_REQUESTS)));
    const atWork = [...found.values()].filter(({ status }) => status === "running");
    running = [...left.slice(MAX_SINGLE_REQUESTS), ...atWork.map(({ job_id }) => job_id)];
    const probes = await getAll(nextProbes(found));
    add(probes);
    // They ended out of turn: others may have, too.
    if (probes.some(({ status }) => status === "completed" || status === "failed")) await readAll(found);
    return [...found.values()];
  };
}
