/** Which segments of a project to fold into one, and when. */
import type { SegmentState } from "../../ports/store.ts";
import { MAX_SEGMENT_CHUNKS } from "./format.ts";

/** So many small segments of one tier are folded into one. */
export const MERGE_FACTOR = 8;
/** More in one go where there are more, so that a burst of small segments is not rewritten step by step. */
const MAX_INPUTS = 4 * MERGE_FACTOR;
/** What is read at once, dead chunks and all, where two are not more than that by themselves. */
const MAX_INPUT_BYTES = 64 << 20;
/** Up to so many visible-to-be chunks a segment is in the lowest tier; each tier's limit is a step's multiple of the one before. */
const LOWEST_TIER_CHUNKS = 64;

interface Tier {
  /** Chunks that a segment of this tier has at most; more than the tier below. */
  readonly limit: number;
  /** So many segments of the tier are worth a merge. Together they always fit into one segment. */
  readonly enough: number;
}

/** 64, 512 and 4,096 by eight; then by two, as two of more than half of what a segment may hold cannot become one. */
const TIERS: readonly Tier[] = tiers();

function tiers(): readonly Tier[] {
  const found: Tier[] = [];
  let limit = LOWEST_TIER_CHUNKS;
  for (; limit * MERGE_FACTOR <= MAX_SEGMENT_CHUNKS; limit *= MERGE_FACTOR) {
    found.push({ limit, enough: MERGE_FACTOR });
  }
  // What the last of them makes may have any size up to `limit`.
  for (let half = (2 * limit) / MERGE_FACTOR; 2 * half <= MAX_SEGMENT_CHUNKS; half *= 2) {
    found.push({ limit: half, enough: 2 });
  }
  return found;
}

/**
 * The segments to merge next, by size; empty when the project is in order. A segment's size is what is left of it
 * without its dead chunks. Log-structured: as soon as a tier has enough segments, they become one of a tier above, so a
 * chunk is rewritten a logarithmic number of times; segments of more than half of the largest size stay as they are.
 * Segments most of whose chunks are dead are rewritten, together where they fit.
 *
 * Where it is empty, a project of n live chunks has no more than n / (MAX_SEGMENT_CHUNKS / 2) segments and
 * `maxSmallSegments(n)` beside them.
 */
export function planMerge(segments: readonly SegmentState[]): readonly SegmentState[] {
  for (const [place, { limit, enough }] of TIERS.entries()) {
    const above = TIERS[place - 1]?.limit ?? -1;
    const ofTier = segments.filter((segment) => sizeOf(segment) > above && sizeOf(segment) <= limit);
    if (ofTier.length >= enough) return fitting(ofTier);
  }
  return fitting(segments.filter(isWorn));
}

/** How many segments of at most half of the largest size can be left when a project of so many live chunks is in order. */
export function maxSmallSegments(liveChunks: number): number {
  let count = 0;
  for (const [place, { enough }] of TIERS.entries()) {
    if (place === 0 || liveChunks > (TIERS[place - 1]?.limit ?? 0)) count += enough - 1;
  }
  return count;
}

function sizeOf(segment: SegmentState): number {
  return segment.chunkCount - segment.deadChunkCount;
}

function isWorn(segment: SegmentState): boolean {
  return segment.deadChunkCount * 2 > segment.chunkCount;
}

/** The smallest, as many as fit into one segment and, beyond two, into memory. */
function fitting(segments: readonly SegmentState[]): readonly SegmentState[] {
  const ordered = segments.toSorted((a, b) => sizeOf(a) - sizeOf(b) || a.segmentId - b.segmentId);
  const inputs: SegmentState[] = [];
  let chunks = 0;
  let bytes = 0;
  for (const segment of ordered.slice(0, MAX_INPUTS)) {
    chunks += sizeOf(segment);
    bytes += segment.byteLength;
    if (chunks > MAX_SEGMENT_CHUNKS || (inputs.length >= 2 && bytes > MAX_INPUT_BYTES)) break;
    inputs.push(segment);
  }
  return inputs;
}
