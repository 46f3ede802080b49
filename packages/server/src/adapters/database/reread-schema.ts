/** A project's current reread, or its last one. Its jobs are rows of `jobs` with a `rereads_version`. */
export interface RereadRow {
  readonly project_id: string;
  readonly status: string;
  /** All versions up to this one have a job, or need none. */
  readonly after_version: number;
  /** The first version number that was not given when it started: later versions are read by today's engine. */
  readonly end_version: number;
  /** The project's `ended_jobs` at the start. */
  readonly started_place: number;
  /** The limit of the account at the start; null = none. */
  readonly max_pending_jobs: number | null;
  /** Jobs that ended while it ran, and how many of them failed. */
  readonly documents_processed: number;
  readonly documents_failed: number;
  /** Counted when it ends; 0 while it runs. */
  readonly documents_total: number;
  readonly created_at: number;
  readonly completed_at: number | null;
  readonly error_message: string | null;
}
