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

/** Code units of English prose for each token of the embedding model, as measured over 9,000 chunks. */
const UNITS_PER_TOKEN = 4.3;
/** Chunks end with a sentence, so they fall short of their target by so much on average. */
const FILLED = 0.85;

/** A first guess, before any chunk is cut: cutting a text only to count would take a few percent of embedding it. */
export function guessChunks(textLength: number, config: Pick<ProjectConfig, "chunkTokens">): number {
  return Math.max(1, Math.ceil(textLength / (config.chunkTokens * FILLED * UNITS_PER_TOKEN)));
}

/**
 * Once `count` chunks cover a text up to `end`, the rest is taken to be cut like what is before it. At least one more,
 * because it is asked while there are more.
 */
export function estimateChunks(textLength: number, cut: { readonly count: number; readonly end: number }) {
  const scaled = cut.end > 0 ? Math.ceil((cut.count * textLength) / cut.end) : 0;
  return Math.max(cut.count + 1, scaled);
}
