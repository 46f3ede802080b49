import type { Reread } from "../../domain/reread.ts";

export function presentReread(reread: Reread) {
  return {
    project_id: reread.projectId,
    status: reread.status,
    documents_processed: reread.documentsProcessed,
    documents_failed: reread.documentsFailed,
    documents_total: reread.documentsTotal,
    created_at: timeOrNull(reread.createdAt),
    completed_at: timeOrNull(reread.completedAt),
    error_message: reread.errorMessage,
  };
}

function timeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
