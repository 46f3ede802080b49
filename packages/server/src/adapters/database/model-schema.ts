/** What calls of language models leave behind. */

export interface ModelReplyRow {
  readonly account_id: string;
  readonly key: string;
  /** Whose text was asked about; null where no project is concerned. */
  readonly project_id: string | null;
  readonly encoding: "utf8" | "zstd";
  readonly bytes: Uint8Array;
  /** Of `bytes`: beside it, so that an index answers what all replies take. */
  readonly stored_bytes: number;
  readonly used_at: number;
}

/** Stays when its project is deleted: what was paid was paid. */
export interface ModelUsageRow {
  readonly account_id: string;
  readonly day: string;
  /** "" = none, as for `job_id`: a key's columns hold no null. */
  readonly project_id: string;
  readonly job_id: string;
  readonly task: string;
  readonly model: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_micros: number;
}
