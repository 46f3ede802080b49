import { z } from "zod";
import { count, time } from "./answer-fields.ts";
import { reread } from "./reread-responses.ts";

const jobStatus = z.enum(["pending", "running", "completed", "failed"]);

export const acceptedJob = z.strictObject({ job_id: z.string(), status: jobStatus, created_at: time });
export const acceptedBatch = z.strictObject({
  jobs: z.array(acceptedJob.extend({ source_doc_id: z.string() })),
});

export const job = z.strictObject({
  job_id: z.string(),
  project_id: z.string(),
  source_doc_id: z.string(),
  status: jobStatus,
  chunks_processed: count,
  nodes_created: count,
  edges_created: count,
  started_at: time.nullable(),
  completed_at: time.nullable(),
  error_message: z.string().nullable(),
});

export const jobList = z.strictObject({ jobs: z.array(job), total: count, limit: count, offset: count });

/** The jobs of a project by state, and when the unfinished ones will have ended. */
export const jobQueue = z.strictObject({
  pending: count,
  running: count,
  completed: count,
  failed: count,
  /** Of the jobs that came since the project last had none that was unfinished, those that have ended: the present work, as far as it is. */
  batch: z.strictObject({ completed: count, failed: count }),
  /** Jobs of the account's other projects that have not ended: the account's jobs are begun in the order in which they were sent. */
  others_unfinished: count,
  /** Jobs that ended in a minute, of late; null while none is unfinished, or none has ended of late. */
  jobs_per_minute: z.number().min(0).nullable(),
  /** Of the project's documents that are being read again; null while none are. Only some of them have a job at a time: those that are queued. */
  reread: reread
    .pick({ documents_processed: true, documents_failed: true, documents_total: true })
    .extend({ documents_queued: count })
    .nullable(),
  /** Until the unfinished jobs end at this rate, and those that a reread is still to begin; null while it is, and when all of them run already. */
  seconds_left: count.nullable(),
  /** Why jobs failed whose document was not sent again since, the most frequent reason first; of the latest 10,000 failed ones. */
  failures: z.array(
    z.strictObject({
      error_message: z.string(),
      jobs: count,
      /** Whether `retry` can take them: the text of a cancelled job is not kept. */
      can_retry: z.boolean(),
    }),
  ),
});

/** `left`: unfinished or failed jobs that a repetition of the request would take. */
export const retriedJobs = z.strictObject({
  jobs: z.array(acceptedJob.extend({ source_doc_id: z.string() })),
  left: count,
});
export const cancelledJobs = z.strictObject({ cancelled: count, left: count });

/** The data of a server-sent event about a job: the job's current state and its progress. */
export const jobProgress = job.extend({
  /** An estimate until the job completes; null while the job is pending. */
  chunks_total: count.nullable(),
  /** The recent rate; null before the first chunks are committed and after the job has ended. */
  chunks_per_second: z.number().min(0).nullable(),
  /** 0 after the job has ended; null while no estimate is possible. */
  seconds_left: count.nullable(),
});

/** The data of an event of a project's stream: empty for `begin`, else about a job. */
export const projectEvent = z.union([jobProgress, z.strictObject({}).meta({ maxProperties: 0 })]);
