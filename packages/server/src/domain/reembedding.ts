import type { EmbeddingSpace } from "./embedding-space.ts";

export type ReembeddingStatus = "pending" | "running" | "completed" | "failed" | "cancelled";

/** A project's current move to another vector space, or its last one. */
export interface Reembedding {
  readonly projectId: string;
  readonly status: ReembeddingStatus;
  readonly from: EmbeddingSpace;
  readonly to: EmbeddingSpace;
  /** Chunks that already have a vector of the new space. */
  readonly chunksProcessed: number;
  /** Chunks of the project now, or at the time when the move ended. */
  readonly chunksTotal: number;
  /** Epoch milliseconds, like all times here; null when there was no move (`completedWithoutMove`). */
  readonly createdAt: number | null;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly errorMessage: string | null;
}

/** Stands for the move of a project that already has the requested vector space and so needs none. */
export function completedWithoutMove(
  projectId: string,
  { space, chunks }: { readonly space: EmbeddingSpace; readonly chunks: number },
): Reembedding {
  return {
    projectId,
    status: "completed",
    from: space,
    to: space,
    chunksProcessed: chunks,
    chunksTotal: chunks,
    createdAt: null,
    startedAt: null,
    completedAt: null,
    errorMessage: null,
  };
}
