/** Reads the progress of watched jobs and projects. */
import type { EndedJob, JobProgress } from "../../../domain/progress.ts";
import type { ProgressStore, ProjectProgress, WatchedProject } from "../../../ports/event-store.ts";
import type { Database, JobRow } from "../schema.ts";
import { padded, partsOf } from "./bulk.ts";
import { toJob } from "./job-rows.ts";

type ReadProgress = Parameters<ProgressStore["readProgress"]>[0];

const maxRunning = 1_000;
/** Parameters in one `in (…)` list. */
const maxListed = 500;

/** Two statements for all watched projects, one for each project with a watched job, and one for each in which jobs have ended. */
export async function readProgress(
  db: Database,
  input: ReadProgress,
): Promise<{ readonly jobs: readonly JobProgress[]; readonly projects: readonly ProjectProgress[] }> {
  const jobs: JobProgress[] = [];
  const byProject = Map.groupBy(input.jobs, (job) => job.projectId);
  for (const [projectId, watched] of byProject) {
    const jobIds = watched.map((job) => job.jobId);
    for (const part of partsOf(jobIds, maxListed)) {
      const rows = await jobsWithChunks(db)
        .where("j.project_id", "=", projectId)
        .where("j.job_id", "in", padded(part))
        .execute();
      jobs.push(...rows.map(toProgress));
    }
  }
  return { jobs, projects: await readProjects(db, input) };
}

async function readProjects(db: Database, input: ReadProgress): Promise<readonly ProjectProgress[]> {
  const projectIds = [...new Set(input.projects.map((project) => project.projectId))];
  const lastPlaces = new Map<string, number>();
  const running: JobProgress[] = [];
  for (const part of partsOf(projectIds, maxListed)) {
    const rows = await db
      .selectFrom("projects")
      .select(["project_id", "ended_jobs"])
      .where("project_id", "in", padded(part))
      .execute();
    for (const row of rows) lastPlaces.set(row.project_id, row.ended_jobs);
    const runningRows = await jobsWithChunks(db)
      .where("j.project_id", "in", padded(part))
      .where("j.status", "=", "running")
      .orderBy("j.seq")
      .limit(maxRunning)
      .execute();
    running.push(...runningRows.map(toProgress));
  }
  const runningByProject = Map.groupBy(running, (progress) => progress.job.projectId);
  const projects: ProjectProgress[] = [];
  for (const project of input.projects) {
    const lastPlace = lastPlaces.get(project.projectId);
    if (lastPlace === undefined) continue;
    const ended = await readEnded(db, { project, lastPlace, limit: input.maxEnded });
    projects.push({ ...project, lastPlace, running: runningByProject.get(project.projectId) ?? [], ended });
  }
  return projects;
}

async function readEnded(
  db: Database,
  input: { project: WatchedProject; lastPlace: number; limit: number },
): Promise<readonly EndedJob[]> {
  const { project, lastPlace, limit } = input;
  if (project.after === null || project.after >= lastPlace) return [];
  const rows = await jobsWithChunks(db)
    .where("j.project_id", "=", project.projectId)
    .where("j.ended_place", "is not", null)
    .where("j.ended_place", ">", project.after)
    .orderBy("j.ended_place")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...toProgress(row), place: row.ended_place ?? 0 }));
}

function jobsWithChunks(db: Database) {
  return db
    .selectFrom("jobs as j")
    .leftJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "j.project_id").onRef("v.version_id", "=", "j.version_id"),
    )
    .selectAll("j")
    .select("v.chunk_count");
}

function toProgress(row: JobRow & { readonly chunk_count: number | null }): JobProgress {
  return {
    job: toJob(row),
    chunksTotal: row.chunks_total,
    chunksIndexed: row.chunk_count ?? row.chunks_processed,
  };
}
