import type { EmbeddingSpace } from "./embedding-space.ts";

export type ReembeddingStatus = "pending" | "running" | "completed" | "failed" | "cancelled";

/** A project on its way to another vector space, or the last one that it went. */
export interface Reembedding {
  readonly projectId: string;
  readonly status: ReembeddingStatus;
  readonly from: EmbeddingSpace;
  readonly to: EmbeddingSpace;
  /** With a vector of the new space. */
  readonly chunksProcessed: number;
  /** That the project has now, or had when this ended. */
  readonly chunksTotal: number;
  /** Epoch milliseconds, like all times here; null where the project was always in its space. */
  readonly createdAt: number | null;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly errorMessage: string | null;
}

/** Of a project that is where it is wanted already. */
export function settledIn(
  projectId: string,
  { space, chunks }: { readonly space: EmbeddingSpace; readonly chunks: number },
): Reembedding {
  return {
    ...{ projectId, status: "completed", from: space, to: space },
    ...{ chunksProcessed: chunks, chunksTotal: chunks },
    ...{ createdAt: null, startedAt: null, completedAt: null, errorMessage: null },
  };
}
