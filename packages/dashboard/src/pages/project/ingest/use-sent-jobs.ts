import type { Job } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { service } from "../../../api/service.ts";
import { hasEnded } from "../../../jobs/job-state.tsx";
import { type LiveJob, withoutProgress } from "../../../jobs/use-job-progress.ts";
import type { SentJob } from "./ingest-input.ts";

const pollMs = 20_000;
/** The most that the service lists at once. */
const pageSize = 1_000;
/** More jobs than a page sends at once. */
const maxPages = 12;

/** The state of the jobs that a page has sent: by their events, and by the list of jobs, which has what happened while no event came. */
export function useSentJobs(
  projectId: string,
  sent: readonly SentJob[],
  live: ReadonlyMap<string, LiveJob>,
): readonly LiveJob[] {
  const isOpen = (listed: ReadonlyMap<string, Job>, id: string) =>
    !hasEnded(live.get(id)?.status) && !hasEnded(listed.get(id)?.status);
  const { data: listed = none } = useQuery({
    queryKey: ["sent-jobs", projectId],
    async queryFn({ client, queryKey, signal }) {
      const before = client.getQueryData<ReadonlyMap<string, Job>>(queryKey) ?? none;
      const open = sent.map(({ job_id: id }) => id).filter((id) => isOpen(before, id));
      return new Map([...before, ...(await readJobs(projectId, new Set(open), signal))]);
    },
    enabled: ({ state }) => sent.some(({ job_id: id }) => isOpen(state.data ?? none, id)),
    refetchInterval: pollMs,
    staleTime: 0,
  });
  return sent.map((job) => {
    const [told, read] = [live.get(job.job_id), listed.get(job.job_id)];
    // An end is the last that happens to a job; before it, events are newer than the list.
    if (told !== undefined && !(hasEnded(read?.status) && !hasEnded(told.status))) return told;
    return read === undefined ? waiting(projectId, job) : withoutProgress(read);
  });
}

const none: ReadonlyMap<string, Job> = new Map();

/** From the newest on, until all are found. */
async function readJobs(
  projectId: string,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Job>> {
  const found = new Map<string, Job>();
  for (let page = 0; page < maxPages && found.size < ids.size; page++) {
    const range = { limit: pageSize, offset: page * pageSize };
    const { jobs } = await service.jobs.list(projectId, range, { signal });
    for (const job of jobs) if (ids.has(job.job_id)) found.set(job.job_id, job);
    if (jobs.length < pageSize) break;
  }
  return found;
}

function waiting(projectId: string, job: SentJob): LiveJob {
  return withoutProgress({
    ...job,
    project_id: projectId,
    status: "pending",
    chunks_processed: 0,
    nodes_created: 0,
    edges_created: 0,
    started_at: null,
    completed_at: null,
    error_message: null,
  });
}
