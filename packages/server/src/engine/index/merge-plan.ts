/** Decides which segments of a project to merge, and when. */
import type { SegmentState } from "../../ports/store.ts";
import { MAX_SEGMENT_CHUNKS } from "./format.ts";

/** The number of small segments of one tier that are merged into one. */
export const MERGE_FACTOR = 8;
/**
 * A merge takes more inputs if there are more, so that a burst of small segments is not rewritten repeatedly.
 */
const MAX_INPUTS = 4 * MERGE_FACTOR;
/**
 * Limit on the bytes of a merge's inputs, dead chunks included; exceeded only if two inputs alone exceed it.
 */
const MAX_INPUT_BYTES = 64 << 20;
/**
 * A segment with at most this many live chunks is in the lowest tier. The limit of each tier is a multiple of
 * the previous one's.
 */
const LOWEST_TIER_CHUNKS = 64;

interface Tier {
  /** The most live chunks that a segment of this tier has; it has more than the limit of the tier below. */
  readonly limit: number;
  /** The number of segments in this tier that triggers a merge. Together they always fit into one segment. */
  readonly mergeCount: number;
}

/**
 * Tiers of up to 64, 512 and 4,096 live chunks merge eight segments; those of up to 8,192 and 16,384 merge two.
 * There is no higher tier, because two segments that each exceed half of the maximum do not fit into one.
 */
const TIERS: readonly Tier[] = tiers();

function tiers(): readonly Tier[] {
  const list: Tier[] = [];
  let limit = LOWEST_TIER_CHUNKS;
  for (; limit * MERGE_FACTOR <= MAX_SEGMENT_CHUNKS; limit *= MERGE_FACTOR) {
    list.push({ limit, mergeCount: MERGE_FACTOR });
  }
  // A merge in the last of these tiers produces a segment of any size up to `limit`.
  for (let half = (2 * limit) / MERGE_FACTOR; 2 * half <= MAX_SEGMENT_CHUNKS; half *= 2) {
    list.push({ limit: half, mergeCount: 2 });
  }
  return list;
}

/**
 * The segments to merge next, by size; empty if the project needs no merge. A segment's size is its number of
 * live chunks. Log-structured: as soon as a tier has enough segments, they are merged into one of a higher
 * tier, so that a chunk is rewritten a logarithmic number of times; segments larger than half of the maximum
 * are left as they are. Segments in which most chunks are dead are rewritten, several together if they fit.
 *
 * When the result is empty, a project of n live chunks has at most n / (MAX_SEGMENT_CHUNKS / 2) segments plus
 * `maxSmallSegments(n)`.
 */
export function planMerge(segments: readonly SegmentState[]): readonly SegmentState[] {
  for (const [place, { limit, mergeCount }] of TIERS.entries()) {
    const above = TIERS[place - 1]?.limit ?? -1;
    const ofTier = segments.filter((segment) => sizeOf(segment) > above && sizeOf(segment) <= limit);
    if (ofTier.length >= mergeCount) return takeFitting(ofTier);
  }
  return takeFitting(segments.filter(isMostlyDead));
}

/**
 * The most segments of at most half the maximum size that can remain in a project of `liveChunks` chunks that
 * needs no merge.
 */
export function maxSmallSegments(liveChunks: number): number {
  let count = 0;
  for (const [place, { mergeCount }] of TIERS.entries()) {
    if (place === 0 || liveChunks > (TIERS[place - 1]?.limit ?? 0)) count += mergeCount - 1;
  }
  return count;
}

function sizeOf(segment: SegmentState): number {
  return segment.chunkCount - segment.deadChunkCount;
}

function isMostlyDead(segment: SegmentState): boolean {
  return segment.deadChunkCount * 2 > segment.chunkCount;
}

/** The smallest segments: as many as fit into one segment and, from the third on, into the byte limit. */
function takeFitting(segments: readonly SegmentState[]): readonly SegmentState[] {
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
