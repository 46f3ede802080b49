export type RereadStatus = "running" | "completed" | "failed" | "cancelled";

/** A project's current reread of its documents by the present engine, or its last one. */
export interface Reread {
  readonly projectId: string;
  readonly status: RereadStatus;
  /** Documents whose job has ended, the failed ones included. */
  readonly documentsProcessed: number;
  readonly documentsFailed: number;
  /** Those and the documents that are still to be read; fewer when documents are replaced or deleted meanwhile. */
  readonly documentsTotal: number;
  /** Epoch milliseconds, like all times here; null when the project was never read again (`completedWithoutReread`). */
  readonly createdAt: number | null;
  readonly completedAt: number | null;
  readonly errorMessage: string | null;
}

/** Stands for the reread of a project that was never read again. */
export function completedWithoutReread(projectId: string): Reread {
  return {
    projectId,
    status: "completed",
    documentsProcessed: 0,
    documentsFailed: 0,
    documentsTotal: 0,
    createdAt: null,
    completedAt: null,
    errorMessage: null,
  };
}
