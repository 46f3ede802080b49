import { setImmediate, setTimeout } from "node:timers/promises";
import { errors } from "../../domain/errors.ts";
import { DamagedIndexError, type SegmentKey } from "../../domain/index-damage.ts";
import type { IndexState, IndexStore, SegmentState } from "../../ports/store.ts";
import { DamagedSegmentError } from "../index/format.ts";
import { readSegmentBytes } from "../index/read-segment.ts";
import { type ReadableVersions, toCurrentVersion } from "../index/readable-versions.ts";
import type { SearchableIndex } from "../index/scan.ts";
import type { Segment } from "../index/segment.ts";
import type { SegmentCache, SegmentLease } from "../index/segment-cache.ts";

/** One state of an index, whose segments are in memory while they are visited. */
export interface OpenIndex extends SearchableIndex {
  /** False after a segment was missing from the store: the state is outdated, the results are incomplete. */
  readonly isComplete: boolean;
  release(): void;
}

export interface SegmentReader {
  /**
   * null when a segment is missing from the store: the state is outdated.
   * @throws DamagedIndexError, here and during visits
   */
  open(projectId: string, state: IndexState): Promise<OpenIndex | null>;
}

interface ReaderDeps {
  readonly store: Pick<IndexStore, "readSegment" | "readIndexState">;
  readonly cache: SegmentCache;
  /** The size of the cache. */
  readonly cacheBytes: number;
  /** The format versions of stored segments. Default: what this release reads. */
  readonly versions?: ReadableVersions;
  /** For each segment that a question needs. */
  readonly onLookup?: (from: "cached" | "read") => void;
}

/** A larger index is not held in memory at once; the rest of the cache is for segments of other queries. */
const MAX_CACHE_SHARE = 0.75;
/** Exponential backoff while other threads' searches fill the cache; about ten seconds in total. */
const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 500;
const MAX_WAITS = 26;

/**
 * Reads segments from the cache, or from the store after a cache miss. An index that fits into the cache is
 * held in memory for the whole search. A larger one is visited segment by segment, so that most of it is read
 * again for each question.
 */
export function createSegmentReader(deps: ReaderDeps): SegmentReader {
  return {
    async open(projectId, state) {
      deps.cache.retain(projectId, new Set(state.segments.map(({ segmentId }) => segmentId)));
      const damaged = state.segments.find(({ isDamaged }) => isDamaged);
      if (damaged !== undefined) {
        const { segmentId } = damaged;
        // An intact copy may still be in the cache, but while neighbouring segments are rebuilt it may not
        // match them.
        throw new DamagedIndexError({ projectId, segmentId }, new Error("it is being rebuilt"));
      }
      const bytes = state.segments.reduce((sum, { byteLength }) => sum + byteLength, 0);
      if (bytes <= deps.cacheBytes * MAX_CACHE_SHARE) {
        const leases = await leaseAll(projectId, state, deps);
        if (leases === "missing") return null;
        if (leases !== "no room") return openHeldIndex(projectId, state, leases);
      }
      return openStreamedIndex(projectId, state, deps);
    },
  };
}

/** "no room": the cache is full of leased segments. */
type LeaseResult = SegmentLease | "missing" | "no room";

async function lease(
  projectId: string,
  { segmentId, chunkCount }: SegmentState,
  deps: ReaderDeps,
): Promise<LeaseResult> {
  const key = { projectId, segmentId };
  const cached = withSegmentKey(key, () => deps.cache.find(key));
  deps.onLookup?.(cached === null ? "read" : "cached");
  if (cached !== null) return requireChunkCount(cached, { key, chunkCount });
  // SQLite reads in this thread. Without a turn of the event loop the reading of a large index would look like a hang.
  await setImmediate();
  const bytes = await readSegmentBytes(key, deps.store);
  if (bytes === null) return "missing";
  const added = withSegmentKey(key, () => deps.cache.add(key, toCurrentVersion(bytes, deps.versions)));
  return added === null ? "no room" : requireChunkCount(added, { key, chunkCount });
}

/** A different number of chunks proves that the bytes are not those that were written for this segment. */
function requireChunkCount(
  lease: SegmentLease,
  { key, chunkCount }: { readonly key: SegmentKey; readonly chunkCount: number },
): SegmentLease {
  const found = lease.segment.chunkCount;
  if (found === chunkCount) return lease;
  lease.release();
  throw new DamagedIndexError(key, new Error(`it holds ${found} chunks and not ${chunkCount}`));
}

/** Adds the key of the segment to the damage errors of `read`. */
function withSegmentKey<T>(key: SegmentKey, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof DamagedSegmentError ? new DamagedIndexError(key, error) : error;
  }
}

/** Leases all segments or, on failure, none. */
async function leaseAll(
  projectId: string,
  state: IndexState,
  deps: ReaderDeps,
): Promise<readonly SegmentLease[] | "missing" | "no room"> {
  const leases: SegmentLease[] = [];
  let areKept = false;
  try {
    for (const segment of state.segments) {
      const leased = await lease(projectId, segment, deps);
      if (typeof leased === "string") return leased;
      leases.push(leased);
    }
    areKept = true;
    return leases;
  } finally {
    if (!areKept) for (const each of leases) each.release();
  }
}

/** All segments stay leased until `release`. */
function openHeldIndex(projectId: string, state: IndexState, leases: readonly SegmentLease[]): OpenIndex {
  return {
    hidden: state.segments.map(hiddenVersions),
    staysOpen: true,
    isComplete: true,
    async visit(visitSegment, isIncluded = () => true) {
      for (const [place, { segment }] of leases.entries()) {
        const segmentId = state.segments[place]?.segmentId ?? 0;
        if (isIncluded(place)) withSegmentKey({ projectId, segmentId }, () => visitSegment(segment, place));
      }
    },
    release() {
      for (const each of leases) each.release();
    },
  };
}

/** Each segment is leased only while it is visited. */
function openStreamedIndex(projectId: string, state: IndexState, deps: ReaderDeps): OpenIndex {
  let isComplete = true;
  const order = [...state.segments.entries()];

  async function visitOne(segment: SegmentState, visitSegment: (segment: Segment) => void): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    for (let wait = 0; wait < MAX_WAITS; wait++) {
      const leased = await lease(projectId, segment, deps);
      if (leased === "no room") {
        await setTimeout(waitMs);
        waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
        continue;
      }
      if (leased === "missing") {
        isComplete = false;
        return;
      }
      try {
        withSegmentKey({ projectId, segmentId: segment.segmentId }, () => visitSegment(leased.segment));
      } finally {
        leased.release();
      }
      return;
    }
    throw errors.unavailable("The search index is busy. Try again shortly.", { retryAfterSeconds: 1 });
  }

  return {
    hidden: state.segments.map(hiddenVersions),
    staysOpen: false,
    get isComplete() {
      return isComplete;
    },
    async visit(visitSegment, isIncluded = () => true) {
      for (const [place, segment] of order) {
        if (isIncluded(place)) await visitOne(segment, (opened) => visitSegment(opened, place));
      }
      // The next visit starts with the segments that this one leaves in the cache.
      order.reverse();
    },
    release() {},
  };
}

function hiddenVersions(segment: SegmentState): ReadonlySet<number> {
  return new Set([...segment.dead, ...segment.staged]);
}
