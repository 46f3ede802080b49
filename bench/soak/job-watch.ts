/** Follows the jobs of a project: every accepted job must be listed and eventually completed. */
import { setTimeout as sleep } from "node:timers/promises";
import type { JobView } from "../../evals/client.ts";
import { type ExpectedProject, expectEnded } from "./expected.ts";
import { getPersistently, type Stage } from "./requests.ts";

const PAGE = 1000;
const MAX_PAGES = 500;
const POLL_MS = 300;

/** Newest first, at most `pages` pages of a thousand; null after an unexpected response. */
export async function listJobs(
  stage: Stage,
  project: ExpectedProject,
  pages = MAX_PAGES,
): Promise<readonly JobView[] | null> {
  const jobs: JobView[] = [];
  for (let page = 0; page < pages; page++) {
    const path = `/projects/${project.id}/jobs?limit=${PAGE}&offset=${page * PAGE}`;
    const body = await getPersistently<{ jobs: JobView[] }>(stage, path);
    if (body === null) return null;
    jobs.push(...body.jobs);
    if (body.jobs.length < PAGE) break;
  }
  return jobs;
}

export async function checkJobs(stage: Stage, project: ExpectedProject): Promise<void> {
  if (project.unfinished.size === 0) return;
  const jobs = await listJobs(stage, project);
  if (jobs === null) return;
  const { tally } = stage;
  const byId = new Map(jobs.map((job) => [job.job_id, job]));
  for (const id of project.jobs.keys())
    if (!byId.has(id)) tally.violate("job gone", `${id} of ${project.name} was accepted and is not listed`);
  if (jobs.length > project.jobs.size)
    tally.violate("job count", `${jobs.length} listed, ${project.jobs.size} accepted in ${project.name}`);
  for (const id of [...project.unfinished]) {
    const job = byId.get(id);
    if (job?.status === "failed") tally.violate("job failed", `${id}: ${job.error_message}`);
    if (job === undefined || job.status === "completed" || job.status === "failed") expectEnded(project, id);
  }
}

/** Waits until at most `atMost` jobs are unfinished. */
export async function settleProject(
  stage: Stage,
  project: ExpectedProject,
  { atMost, limitMs }: { readonly atMost: number; readonly limitMs: number },
): Promise<void> {
  const end = performance.now() + limitMs;
  while (project.unfinished.size > atMost && performance.now() < end) {
    await checkJobs(stage, project);
    await sleep(POLL_MS);
  }
  if (project.unfinished.size > atMost)
    stage.tally.violate("not done", `${project.unfinished.size} jobs of ${project.name} after ${limitMs} ms`);
}
