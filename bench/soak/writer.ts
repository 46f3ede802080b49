/** A client that ingests, replaces, deletes and asks in projects of its own, and knows what must come of it. */
import type { QueryView } from "../../evals/client.ts";
import { type ExpectedProject, expectProject, findAnswerFaults } from "./expected.ts";
import { ingestBatch, ingestOne } from "./ingest-action.ts";
import { lookAtJobs, settleProject } from "./job-watch.ts";
import { writeQuestion } from "./prose.ts";
import { getPersistently, isRefused, MAX_TRIES, noteUnexpected, pause, type Stage } from "./requests.ts";

export interface Writer {
  readonly projects: readonly ExpectedProject[];
  /** One action. Returns when its outcome is known, be it after a restart. */
  act(): Promise<void>;
  /** Until no job of its projects is unfinished, or `limitMs` is over for one of them. */
  settle(limitMs: number): Promise<void>;
}

const PROJECTS = 3;
const MAX_UNFINISHED = 120;
const CATCH_UP_LIMIT_MS = 300_000;

export function createWriter(given: Omit<Stage, "projects">): Writer {
  const stage: Stage = { ...given, projects: [] };
  let made = 0;
  return {
    projects: stage.projects,
    async act() {
      if (stage.projects.length < PROJECTS) return createProject(stage, `${stage.name}-${++made}`);
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
  if (dice < 0.55) return lookAtJobs(stage, project);
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

/** A deletion whose answer is lost is asked for again: gone is gone. */
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
