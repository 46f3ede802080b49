import { z } from "zod";
import { count, time } from "./answer-fields.ts";

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

/** The names of the server-sent events about a job; after any but `progress` nothing more comes of it. */
export const JOB_EVENTS = ["progress", "completed", "failed", "cancelled"] as const;

/** What each server-sent event about a job carries: the job as it is now, and how it gets on. */
export const jobProgress = job.extend({
  /** An estimate until the job is completed; null while it is pending. */
  chunks_total: count.nullable(),
  /** Of late; null until the first chunks are in, and at the end. */
  chunks_per_second: z.number().min(0).nullable(),
  /** 0 at the end; null while nobody can tell. */
  seconds_left: count.nullable(),
});
