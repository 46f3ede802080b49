export interface SentJob {
  readonly job_id: string;
  readonly source_doc_id: string;
}

/** How the two ways to send something tell of it. */
export interface IngestInput {
  readonly projectId: string;
  readonly onSent: (jobs: readonly SentJob[]) => void;
  readonly onFault: (fault: string) => void;
}
