/** Statistics of a project, consistent with each other. */
export interface ProjectNumbers {
  /** All documents, regardless of the state of their jobs. */
  readonly documents: number;
  /** Chunks that are visible to queries. */
  readonly chunks: number;
  /** UTF-8 bytes of text and metadata of the visible versions. */
  readonly bytes: number;
  readonly segments: number;
  readonly indexVersion: number;
  readonly jobs: {
    readonly pending: number;
    readonly running: number;
    readonly completed: number;
    readonly failed: number;
  };
  /** Embedded tokens since usage counting was introduced (migration 8). */
  readonly tokens: number;
  /** When a document version was last completed and visible; null before the first one. */
  readonly lastIngestedAt: number | null;
}

export interface ProjectNumbersStore {
  /** null when the project does not exist. Cost: counts over indexes plus one row per document. */
  readProjectNumbers(input: { projectId: string }): Promise<ProjectNumbers | null>;
}
