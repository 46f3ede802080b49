/** A process that shares the database. A few rows, read every few seconds. */
export interface ProcessRow {
  readonly process_id: string;
  readonly place: string;
  readonly version: string;
  /** Separated by commas. */
  readonly roles: string;
  /** `EmbeddingSpace[]` as JSON. */
  readonly spaces: string;
  /** 1: it reads documents with a model. */
  readonly reads_with_model: number;
  /** null: of a version that does not tell it. */
  readonly max_text_bytes: number | null;
  readonly secret_mark: string;
  readonly started_at: number;
  readonly seen_at: number;
  /** 1: it has stopped. */
  readonly stopped: number;
}
