import { createHash } from "node:crypto";
import { type Chunk, indexedText } from "../../domain/document.ts";
import type { ClaimedJob } from "../../domain/job.ts";
import { type ChunkOptions, chunkDocument } from "./chunk.ts";

export interface HashedChunk extends Chunk {
  readonly contentHash: string;
}

export interface BatchOptions extends Pick<ChunkOptions, "maxTokens" | "countTokens"> {
  readonly batchChunks: number;
}

/** Chunks that are passed over in one go; some ten milliseconds. */
const PASSED_AT_ONCE = 128;

/** What one batch takes of one job. */
export interface BatchPart {
  readonly job: ClaimedJob;
  readonly chunks: readonly HashedChunk[];
  /** True when the job's text has no more chunks. */
  readonly finished: boolean;
}

/**
 * Cuts the jobs' texts, one after the other, into batches of at most `batchChunks` chunks, each job from
 * its next position on. Lazy: no more is cut than is taken. Every job ends with a finished part, be it empty.
 * null comes between chunks that are passed over, so that who takes the batches can let others work.
 */
export function* takeBatches(
  jobs: readonly ClaimedJob[],
  options: BatchOptions,
): Generator<readonly BatchPart[] | null> {
  let parts: BatchPart[] = [];
  let size = 0;
  for (const job of jobs) {
    for (const part of takeParts(job, options, () => options.batchChunks - size)) {
      if (part === null) {
        yield null;
        continue;
      }
      parts.push(part);
      size += part.chunks.length;
      if (size < options.batchChunks) continue;
      yield parts;
      parts = [];
      size = 0;
    }
  }
  if (parts.length > 0) yield parts;
}

function* takeParts(job: ClaimedJob, options: BatchOptions, room: () => number): Generator<BatchPart | null> {
  let chunks: HashedChunk[] = [];
  const { chunkTokens: targetTokens, chunkOverlapTokens: overlapTokens } = job.config;
  for (const chunk of chunkDocument(job.text, { ...options, targetTokens, overlapTokens })) {
    if (chunk.position < job.nextPosition) {
      if (chunk.position % PASSED_AT_ONCE === PASSED_AT_ONCE - 1) yield null;
      continue;
    }
    // The part goes out when one chunk more has been seen, so that the last one is known to be the last.
    if (chunks.length >= room()) {
      yield { job, chunks, finished: false };
      chunks = [];
    }
    chunks.push({ ...chunk, contentHash: hashOf(chunk) });
  }
  yield { job, chunks, finished: true };
}

/** 128 bits of SHA-256 over what is embedded and indexed. */
function hashOf(chunk: Chunk): string {
  return createHash("sha256").update(indexedText(chunk)).digest("base64url").slice(0, 22);
}
