/** A client that ingests, replaces, deletes and queries in its own projects, and tracks the expected state. */
import type { QueryView } from "../../evals/client.ts";
import { type ExpectedProject, expectProject, findAnswerFaults } from "./expected.ts";
import { ingestBatch, ingestOne } from "./ingest-action.ts";
import { checkJobs, settleProject } from "./job-watch.ts";
import { writeQuestion } from "./prose.ts";
import { getPersistently, isRefused, MAX_TRIES, noteUnexpected, pause, type Stage } from "./requests.ts";

export interface Writer {
  readonly projects: readonly ExpectedProject[];
  /** Performs one action. Resolves when its outcome is known, possibly after a restart. */
  act(): Promise<void>;
  /** Waits until all jobs of each project have ended, at most `limitMs` per project. */
  settle(limitMs: number): Promise<void>;
}

const PROJECTS = 3;
const MAX_UNFINISHED = 120;
const CATCH_UP_LIMIT_MS = 300_000;

export function createWriter(given: Omit<Stage, "projects">): Writer {
  const stage: Stage = { ...given, projects: [] };
  let created = 0;
  return {
    projects: stage.projects,
    async act() {
      if (stage.projects.length < PROJECTS) return createProject(stage, `${stage.name}-${++created}`);
      return actOn(stage, stage.random.pick(stage.projects));
    },
    async settle(limitMs) {
      for (const project of stage.projects) await settleProject(stage, project, { atMost: 0, limitMs });
    },
  };
}

async function actOn(stage: Stage, project: ExpectedProject): Promise<void> {
  if (project.unfinished.size > MAX_UNFINISHED) {
    const half = { atMost: MAX_UNFINISHED / 2, limitMs: CATCH_UP_LIMIT_MS };
    return settleProject(stage, project, half);
  }
  const dice = stage.random.fraction();
  if (dice < 0.4) return ingestOne(stage, project);
  if (dice < 0.5) return ingestBatch(stage, project);
  if (dice < 0.55) return checkJobs(stage, project);
  if (dice < 0.552) return deleteProject(stage, project);
  return query(stage, project);
}

async function query({ subject, random, tally }: Stage, project: ExpectedProject): Promise<void> {
  const body = { query: writeQuestion(random), top_k: random.integer(1, 30), include: ["provenance"] };
  const outcome = await subject.request<QueryView>("POST", `/projects/${project.id}/query`, body);
  if (outcome.kind === "lost") return tally.count("query lost");
  if (isRefused(outcome)) return pause(tally, "refused while stopping");
  if (outcome.status !== 200) return noteUnexpected(tally, "query", outcome);
  tally.count("queries answered");
  for (const fault of findAnswerFaults(project, outcome.body.results.chunks))
    tally.violate("answer", `${project.name}: ${fault} for "${body.query}"`);
}

async function createProject(stage: Stage, name: string): Promise<void> {
  const { subject, tally, projects } = stage;
  const body = { name, vector_only: true };
  const outcome = await subject.request<{ project_id: string }>("POST", "/projects", body);
  if (isRefused(outcome)) return pause(tally, "refused while stopping");
  if (outcome.kind === "answered" && outcome.status !== 200) return noteUnexpected(tally, "create", outcome);
  const id = outcome.kind === "answered" ? outcome.body.project_id : await findProject(stage, name);
  if (id === null) return;
  projects.push(expectProject(id, name));
  tally.count("projects created");
}

async function findProject(stage: Stage, name: string): Promise<string | null> {
  interface Listed {
    readonly projects: readonly { readonly project_id: string; readonly name: string }[];
  }
  const body = await getPersistently<Listed>(stage, "/projects");
  return body?.projects.find((project) => project.name === name)?.project_id ?? null;
}

/** Repeats a deletion whose response is lost. A 404 then counts as success. */
async function deleteProject({ subject, tally, projects }: Stage, project: ExpectedProject): Promise<void> {
  const path = `/projects/${project.id}`;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const outcome = await subject.request("DELETE", path);
    if (outcome.kind === "lost" || isRefused(outcome)) {
      await pause(tally, "repeated");
      continue;
    }
    const isGone = outcome.status === 204 || (outcome.status === 404 && tries > 0);
    if (!isGone) noteUnexpected(tally, "delete", outcome);
    projects.splice(projects.indexOf(project), 1);
    tally.count("projects deleted");
    const after = await subject.request("GET", path);
    if (after.kind === "answered" && after.status !== 404 && !isRefused(after))
      noteUnexpected(tally, "get after delete", after);
    return;
  }
  tally.violate("no answer", `DELETE ${path}`);
}
