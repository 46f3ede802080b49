/** Identifies one segment of a project's search index. */
export interface SegmentKey {
  readonly projectId: string;
  readonly segmentId: number;
}

/** A segment cannot be read; it can be rebuilt from the chunks. `cause` says what is wrong with it. */
export class DamagedIndexError extends Error {
  readonly projectId: string;
  readonly segmentId: number;

  constructor({ projectId, segmentId }: SegmentKey, cause: unknown) {
    const fault = cause instanceof Error ? cause.message : String(cause);
    super(`Segment ${segmentId} of project ${projectId} cannot be used: ${fault}`, { cause });
    this.name = "DamagedIndexError";
    this.projectId = projectId;
    this.segmentId = segmentId;
  }
}
