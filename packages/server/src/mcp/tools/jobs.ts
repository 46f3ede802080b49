import { responses } from "@kcs/contract";
import { errors } from "../../domain/errors.ts";
import type { IngestionService } from "../../services/ingestion.ts";
import type { ProgressEvent, ProgressService, Watch } from "../../services/progress.ts";
import { argumentsOf, integerField, jobIdField, projectIdField } from "../fields.ts";
import type { Presenters, Wire } from "../presenters.ts";
import { inline } from "../text.ts";
import { type AddTool, type Call, defineTool, READS } from "../tool.ts";

interface Deps {
  readonly ingestion: IngestionService;
  readonly progress: ProgressService;
  readonly present: Pick<Presenters, "job" | "progress">;
}

/** Clients time out after about a minute, so the longest wait is shorter. */
const WAIT_SECONDS = { min: 1, max: 50, fallback: 25 } as const;

/** A key that is revoked ends a wait within this time. */
const CHECK_MS = 1_000;

export function createGetJobTool({ ingestion, present }: Deps): AddTool {
  return defineTool({
    name: "get_job",
    title: "Get the status of a job",
    description:
      "Returns the current status of an ingestion job: pending, running, completed, or failed with the reason. To wait until the job has ended, call wait_for_job instead of polling this tool.",
    annotations: READS,
    input: argumentsOf({ project_id: projectIdField, job_id: jobIdField }),
    output: responses.job,
    async run({ project_id, job_id }, { caller }) {
      const structured = present.job(await ingestion.getJob(caller, project_id, job_id));
      return { structured, text: jobText(structured) };
    },
  });
}

export function createWaitForJobTool({ ingestion, progress, present }: Deps): AddTool {
  return defineTool({
    name: "wait_for_job",
    title: "Wait for a job",
    description:
      "Waits until an ingestion job has ended, at most timeout_seconds, and returns its status. If the job is still pending or running, call this tool again. If it has failed, the result has the reason.",
    annotations: READS,
    input: argumentsOf({
      project_id: projectIdField,
      job_id: jobIdField,
      timeout_seconds: integerField(WAIT_SECONDS)
        .default(WAIT_SECONDS.fallback)
        .describe(
          `Maximum time to wait in seconds, 1 to ${WAIT_SECONDS.max} (default ${WAIT_SECONDS.fallback}).`,
        ),
    }),
    output: responses.jobProgress,
    async run({ project_id, job_id, timeout_seconds: seconds }, call) {
      const target = { projectId: project_id, jobId: job_id };
      const watch = await progress.watchJob(call.caller, target, null);
      const last = watch === null ? null : await watchUntilEnd(watch, call, seconds * 1000);
      if (!(await call.isStillAllowed())) throw errors.invalidApiKey();
      if (last !== null && last.kind !== "progress") return told(present.progress(last));
      // Since the last event it may have ended, or its project may have been deleted.
      const job = await ingestion.getJob(call.caller, project_id, job_id);
      if (last === null || job.completedAt !== null) return told(withoutEstimates(present.job(job)));
      return told(present.progress({ ...last, progress: { ...last.progress, job } }));
    },
  });
}

/**
 * The last event when the job has ended or its project was deleted, the time is
 * up or the client has disconnected; null when there was none.
 */
async function watchUntilEnd(watch: Watch, call: Call, limitMs: number): Promise<ProgressEvent | null> {
  let last: ProgressEvent | null = null;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const stop = watch({
    isReady: () => true,
    begin: () => undefined,
    send(event) {
      last = event;
      call.reportProgress({ done: event.progress.job.chunksProcessed, total: event.progress.chunksTotal });
    },
    end: resolve,
  });
  const timer = setTimeout(resolve, limitMs);
  const check = setInterval(() => {
    // While the database does not answer, there is nothing to tell either.
    call.isStillAllowed().then(
      (isAllowed) => isAllowed || resolve(),
      () => undefined,
    );
  }, CHECK_MS);
  call.signal.addEventListener("abort", () => resolve(), { once: true });
  if (call.signal.aborted) resolve();
  await ended;
  clearTimeout(timer);
  clearInterval(check);
  stop();
  return last;
}

function told(structured: Wire<typeof responses.jobProgress>) {
  return { structured, text: jobText(structured) };
}

function withoutEstimates(job: Wire<typeof responses.job>): Wire<typeof responses.jobProgress> {
  return { ...job, chunks_total: null, chunks_per_second: null, seconds_left: null };
}

function jobText(job: Wire<typeof responses.job> & Partial<Wire<typeof responses.jobProgress>>): string {
  const { status, chunks_processed: done, chunks_total: total, seconds_left: left } = job;
  const head = `Job ${job.job_id} of document ${inline(job.source_doc_id)}`;
  if (status === "failed") return `${head} has failed: ${inline(job.error_message ?? "no reason recorded")}.`;
  if (status === "completed" && done === 0)
    return `${head} is completed without a text of its own: the files of an archive and the pages of a sitemap have jobs of their own, which list_documents shows. Queries find each of them when its job is completed.`;
  if (status === "completed") {
    return `${head} is completed (chunks: ${done}, new entities: ${job.nodes_created}, new relationships: ${job.edges_created}). Queries find its text, unless the document was changed or deleted since.`;
  }
  const of = total === null || total === undefined ? "" : ` of about ${total}`;
  const time = left === null || left === undefined ? "" : `, about ${left} seconds left`;
  return `${head} is ${status}: ${done}${of} chunks done${time}. Call wait_for_job to wait until it has ended.`;
}
