/** Ingests documents, reports progress and checks the counts. */
import { setTimeout as sleep } from "node:timers/promises";
import { ingestAll, type JobView } from "../../evals/client.ts";
import type { StartedService } from "../../evals/service.ts";
import { round } from "../report.ts";
import type { AskedProject } from "./asking.ts";
import { type CountedDocument, countChunks } from "./corpus.ts";
import { readMetrics } from "./metrics-view.ts";

export interface Ingested {
  readonly chunks: number;
  readonly seconds: number;
  /** Start of the first job and end of the last one, in epoch milliseconds by the service's clock. */
  readonly from: number;
  readonly to: number;
}

const PROGRESS_MS = 15_000;
const POLL_MS = 1_000;

/** Ingests documents. Adds wrong counts and failed jobs to the failures. */
export async function ingestCounted(
  { api, projectId, failures }: AskedProject,
  documents: readonly CountedDocument[],
): Promise<Ingested> {
  const expected = new Map(documents.map(({ source_doc_id: id, chunks }) => [id, chunks]));
  const sent = documents.map(({ source_doc_id, text }) => ({ source_doc_id, text }));
  const jobs = await ingestAll(api, projectId, sent, { pollMs: POLL_MS });
  for (const job of jobs) {
    if (job.status !== "completed") failures.add(`${job.source_doc_id}: ${job.error_message}`);
    else if (job.chunks_processed !== expected.get(job.source_doc_id)) {
      failures.add(
        `${job.source_doc_id}: ${job.chunks_processed} chunks, not ${expected.get(job.source_doc_id)}`,
      );
    }
  }
  if (jobs.length !== documents.length) failures.add(`${jobs.length} jobs for ${documents.length} documents`);
  const from = Math.min(...jobs.map(startedAt));
  const to = Math.max(...jobs.map((job) => Date.parse(job.completed_at ?? "")));
  return { chunks: countChunks(documents), seconds: round((to - from) / 1000), from, to };
}

/** Like {@link ingestCounted}, and writes the number of remaining jobs to standard error. */
export async function ingestWithProgress(
  project: AskedProject,
  documents: readonly CountedDocument[],
  service: StartedService,
): Promise<Ingested> {
  const ended = new AbortController();
  const reporting = reportProgress(service, ended.signal);
  try {
    return await ingestCounted(project, documents);
  } finally {
    ended.abort();
    await reporting;
  }
}

async function reportProgress({ baseUrl }: StartedService, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  while (!signal.aborted) {
    await sleep(PROGRESS_MS, null, { signal }).catch(() => null); // Aborted at the end of the ingest.
    if (signal.aborted) return;
    const metrics = await readMetrics(baseUrl);
    const left = (metrics.get("kcs_jobs_pending") ?? 0) + (metrics.get("kcs_jobs_running") ?? 0);
    process.stderr.write(`  ${round((performance.now() - began) / 1000, 0)} s: ${left} documents left\n`);
  }
}

function startedAt(job: JobView): number {
  // The API returns it, but `JobView` does not declare it.
  return Date.parse((job as JobView & { readonly started_at?: string | null }).started_at ?? "");
}
