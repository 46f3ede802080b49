import type { EmbeddingSpace } from "../../domain/embedding-space.ts";
import type { Reembedding } from "../../domain/reembedding.ts";

export function presentReembedding(move: Reembedding) {
  return {
    project_id: move.projectId,
    status: move.status,
    from: presentSpace(move.from),
    to: presentSpace(move.to),
    chunks_processed: move.chunksProcessed,
    chunks_total: move.chunksTotal,
    created_at: timeOrNull(move.createdAt),
    started_at: timeOrNull(move.startedAt),
    completed_at: timeOrNull(move.completedAt),
    error_message: move.errorMessage,
  };
}

function presentSpace({ model, dimensions }: EmbeddingSpace) {
  return { embedding_model: model, embedding_dimensions: dimensions };
}

function timeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
