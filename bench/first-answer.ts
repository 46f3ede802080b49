/** Measures the time from the start of a service to its first answer. */
import { type Api, ingestAll, type QueryView } from "../evals/client.ts";
import type { StartedService } from "../evals/service.ts";
import { round } from "./report.ts";

const POLL_MS = 10;
const LIMIT_MS = 60_000;

export async function createProject(api: Api, name: string): Promise<string> {
  const body = { name, vector_only: true };
  const { project_id: id } = await api.request<{ project_id: string }>("POST", "/projects", body);
  return id;
}

/**
 * Seconds from the start of the process until a question finds a first document, which is sent as soon as the service is
 * ready. Without retries: the question is asked when the job has ended.
 */
export async function timeFirstAnswer(service: StartedService, api: Api): Promise<number> {
  const began = performance.now();
  const projectId = await createProject(api, "first answer");
  const text = "The lighthouse at Norrvik was lit for the first time in the autumn of 1871.";
  await ingestAll(api, projectId, [{ text, source_doc_id: "lighthouse" }], { pollMs: POLL_MS });
  const answer = await ask(api, projectId, "When was the lighthouse lit?");
  if (answer.results.chunks.length === 0) throw new Error("The first document was not found.");
  return round((service.startMs + performance.now() - began) / 1000);
}

/** Seconds from the start of the process until an existing project answers a question. */
export async function timeKnownAnswer(
  service: StartedService,
  api: Api,
  asked: { readonly projectId: string; readonly question: string },
): Promise<number> {
  const began = performance.now();
  for (;;) {
    const answer = await ask(api, asked.projectId, asked.question);
    const elapsed = performance.now() - began;
    if (answer.results.chunks.length > 0) return round((service.startMs + elapsed) / 1000);
    if (elapsed > LIMIT_MS) throw new Error("The project did not answer within a minute.");
  }
}

export function ask(api: Api, projectId: string, query: string): Promise<QueryView> {
  return api.request<QueryView>("POST", `/projects/${projectId}/query`, { query });
}
