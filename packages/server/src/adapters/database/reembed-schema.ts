/** Moves of projects to another vector space. */

/**
 * Vectors of chunks in a space, keyed by the hash of their text, while the chunks' rows contain vectors of
 * another space.
 */
export interface MovedVectorRow {
  readonly project_id: string;
  readonly vector_set: number;
  readonly content_hash: string;
  /** Little-endian f32. */
  readonly vector: Uint8Array;
}

/** One row for each project that was ever moved: the running move, or the last one. */
export interface ReembeddingRow {
  readonly project_id: string;
  readonly account_id: string;
  readonly status: string;
  readonly from_model: string;
  readonly from_dimensions: number;
  readonly to_model: string;
  readonly to_dimensions: number;
  /** The highest number that a vector set ever had; numbers are not reused. */
  readonly last_set: number;
  /**
   * The vector set that is being staged, or that a failed move left for the next move to continue with; else
   * null.
   */
  readonly staged_set: number | null;
  /** The time until which the staged vectors of a failed move are kept. */
  readonly staged_until: number | null;
  /** When the move may be claimed, or when its lease ends; null once the move has ended. */
  readonly ready_at: number | null;
  readonly lease_token: string | null;
  readonly attempts: number;
  readonly served_at: number;
  /** The final counts of an ended move. */
  readonly chunks_processed: number;
  readonly chunks_total: number;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly progressed_at: number | null;
  readonly completed_at: number | null;
  readonly error_message: string | null;
  /** When the next clean-up is due; null when nothing is left to clean up. */
  readonly cleanup_at: number | null;
  /** The chunk at which copying moved vectors into chunk rows continues. */
  readonly cleanup_version: number;
  readonly cleanup_position: number;
}
