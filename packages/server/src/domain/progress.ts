/** How far a job is, and how far it has to go. */
import type { Job } from "./job.ts";
import type { ProjectConfig } from "./project.ts";

/** Ends a job that somebody cancelled; as the contract knows four statuses, such a job is failed. */
export const CANCELLED = "Cancelled";

export interface JobProgress {
  readonly job: Job;
  /** Chunks that the document has when the job ends: an estimate until then, null while it is pending. */
  readonly chunksTotal: number | null;
  /** Chunks that are there already, those of an earlier job that this one goes on with included. */
  readonly chunksIndexed: number;
}

/** A job that has ended, with its place in the order in which the jobs of its project end: 1, 2, 3 and so on. */
export interface EndedJob extends JobProgress {
  readonly place: number;
}

/** Code units of text for each token that a chunk should have: 2.8 to 3.7 in software manuals, 4.2 in plain prose. */
const UNITS_PER_TARGET_TOKEN = 3.5;

/** A first guess, before any chunk is cut: cutting a text only to count would take one to two percent of embedding it. */
export function guessChunks(textLength: number, config: Pick<ProjectConfig, "chunkTokens">): number {
  return Math.max(1, Math.ceil(textLength / (config.chunkTokens * UNITS_PER_TARGET_TOKEN)));
}

/**
 * Once `count` chunks cover a text up to `end`, the rest is taken to be cut like what is before it. At least one more,
 * because it is asked while there are more.
 */
export function estimateChunks(textLength: number, cut: { readonly count: number; readonly end: number }) {
  const scaled = cut.end > 0 ? Math.ceil((cut.count * textLength) / cut.end) : 0;
  return Math.max(cut.count + 1, scaled);
}
