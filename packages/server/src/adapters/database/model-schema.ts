/** Stored replies of language models and the metered usage of models. */

export interface ModelReplyRow {
  readonly account_id: string;
  readonly key: string;
  /** The project whose text the prompt contains; null for calls without a project. */
  readonly project_id: string | null;
  readonly encoding: "utf8" | "zstd";
  readonly bytes: Uint8Array;
  /** Length of `bytes`, in a column of its own so that an index alone gives the size of all replies. */
  readonly stored_bytes: number;
  readonly used_at: number;
}

/** Kept when its project is deleted, because the usage was paid for. */
export interface ModelUsageRow {
  readonly account_id: string;
  readonly day: string;
  /** "" = none, as for `job_id`: primary key columns cannot be null. */
  readonly project_id: string;
  readonly job_id: string;
  readonly task: string;
  readonly model: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_micros: number;
}
