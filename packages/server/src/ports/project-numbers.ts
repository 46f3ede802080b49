/** The numbers of a project as of one moment. */
export interface ProjectNumbers {
  /** Documents that it has, whatever became of their jobs. */
  readonly documents: number;
  /** Chunks that queries see. */
  readonly chunks: number;
  /** Text and metadata of what queries see, in UTF-8. */
  readonly bytes: number;
  readonly segments: number;
  readonly indexVersion: number;
  readonly jobs: {
    readonly pending: number;
    readonly running: number;
    readonly completed: number;
    readonly failed: number;
  };
  /** Tokens embedded, since usage is counted. */
  readonly tokens: number;
  /** When a document last came to be seen whole; null before that. */
  readonly lastIngestedAt: number | null;
}

export interface ProjectNumbersStore {
  /** null when the project is gone. Counts indexes and reads a row for each document. */
  readProjectNumbers(input: { projectId: string }): Promise<ProjectNumbers | null>;
}
