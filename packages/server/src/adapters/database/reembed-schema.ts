/** Projects on their way to another vector space. */

/** Vectors that chunks have in a space, by their texts, while their own rows hold another's. */
export interface MovedVectorRow {
  readonly project_id: string;
  readonly vector_set: number;
  readonly content_hash: string;
  /** Little-endian f32. */
  readonly vector: Uint8Array;
}

/** One for each project that was ever moved: the move under way, or the last one. */
export interface ReembeddingRow {
  readonly project_id: string;
  readonly account_id: string;
  readonly status: string;
  readonly from_model: string;
  readonly from_dimensions: number;
  readonly to_model: string;
  readonly to_dimensions: number;
  /** The highest number of vectors that was ever given; none is given twice. */
  readonly last_set: number;
  /** The vectors that are being staged, or that a failed move has left to be gone on with; else null. */
  readonly staged_set: number | null;
  /** Until when those of a failed move are kept. */
  readonly staged_until: number | null;
  /** When it may be claimed, or when its lease ends; null once it has ended. */
  readonly ready_at: number | null;
  readonly lease_token: string | null;
  readonly attempts: number;
  readonly served_at: number;
  /** As it ended. */
  readonly chunks_processed: number;
  readonly chunks_total: number;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly progressed_at: number | null;
  readonly completed_at: number | null;
  readonly error_message: string | null;
  /** When something of it is to be cleaned up; null where nothing is. */
  readonly cleanup_at: number | null;
  /** Where putting vectors into their chunks' rows goes on. */
  readonly cleanup_version: number;
  readonly cleanup_position: number;
}
