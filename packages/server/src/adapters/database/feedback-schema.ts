/** Feedback on an answer. */
export interface FeedbackRow {
  readonly project_id: string;
  /** SHA-256 of mode, question and answer: one row for each answer. */
  readonly answer_hash: string;
  readonly feedback_id: string;
  /** From the account's counter: the order in which it was given. */
  readonly seq: number;
  readonly rating: "up" | "down";
  readonly mode: "static" | "dynamic";
  readonly query: string;
  readonly answer: string;
  readonly strategy_used: string;
  /** A JSON array. */
  readonly source_doc_ids: string;
  readonly comment: string | null;
  readonly index_version: number;
  readonly service_version: string;
  readonly created_at: number;
  /** UTF-8 bytes of its texts, which count as stored bytes of the account. */
  readonly byte_length: number;
}
