export interface SentJob {
  readonly job_id: string;
  readonly source_doc_id: string;
}

/** A chosen file. Its name includes its folders. */
export interface NamedFile {
  readonly name: string;
  readonly file: File;
}

/** The common properties of the two input forms. */
export interface IngestInput {
  readonly projectId: string;
  readonly onSent: (jobs: readonly SentJob[]) => void;
  /** null: there is none any more. */
  readonly onFault: (fault: string | null) => void;
}
