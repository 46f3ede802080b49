import { setTimeout } from "node:timers/promises";
import { errors } from "../../domain/errors.ts";
import { DamagedIndexError, type SegmentKey } from "../../domain/index-damage.ts";
import type { IndexState, IndexStore, SegmentState } from "../../ports/store.ts";
import { DamagedSegmentError } from "../index/format.ts";
import { readSegmentBytes } from "../index/read-segment.ts";
import { type ReadableVersions, toCurrentVersion } from "../index/readable-versions.ts";
import type { SearchableIndex } from "../index/search.ts";
import type { Segment } from "../index/segment.ts";
import type { SegmentCache, SegmentLease } from "../index/segment-cache.ts";

/** One state of an index, its segments in memory when they are looked at. */
export interface OpenIndex extends SearchableIndex {
  /** False once a segment was gone from the store: the state is out of date, and what was found incomplete. */
  readonly isComplete: boolean;
  release(): void;
}

export interface SegmentReader {
  /** null when a segment is gone from the store: the state is out of date. @throws DamagedIndexError, here and while it is looked at */
  open(projectId: string, state: IndexState): Promise<OpenIndex | null>;
}

interface ReaderDeps {
  readonly store: Pick<IndexStore, "readSegment" | "readIndexState">;
  readonly cache: SegmentCache;
  /** Of the cache. */
  readonly cacheBytes: number;
  /** The format versions of stored segments. Default: what this release reads. */
  readonly versions?: ReadableVersions;
}

/** What other projects' segments in use may take of the cache before a large project is read piece by piece. */
const SHARE_OF_CACHE = 0.75;
/** Waiting for other threads' searches to give back room: twice as long each time, for some ten seconds in all. */
const FIRST_ROOM_WAIT_MS = 5;
const LONGEST_ROOM_WAIT_MS = 500;
const MAX_ROOM_WAITS = 26;

/**
 * Segments from the cache, and from the store what the cache lacks. An index that fits is in memory as a whole while it
 * is searched; a larger one passes through segment by segment, at the cost of reading it anew for each question.
 */
export function createSegmentReader(deps: ReaderDeps): SegmentReader {
  return {
    async open(projectId, state) {
      deps.cache.retain(projectId, new Set(state.segments.map(({ segmentId }) => segmentId)));
      const damaged = state.segments.find(({ isDamaged }) => isDamaged);
      if (damaged !== undefined) {
        const { segmentId } = damaged;
        // A sound copy may still be in memory, but while neighbours are rebuilt it need not fit to them.
        throw new DamagedIndexError({ projectId, segmentId }, new Error("it is being rebuilt"));
      }
      const bytes = state.segments.reduce((sum, { byteLength }) => sum + byteLength, 0);
      if (bytes <= deps.cacheBytes * SHARE_OF_CACHE) {
        const leases = await leaseAll(projectId, state, deps);
        if (leases === "gone") return null;
        if (leases !== "no room") return heldIndex(projectId, state, leases);
      }
      return passingIndex(projectId, state, deps);
    },
  };
}

type Leased = SegmentLease | "gone" | "no room";

async function lease(
  projectId: string,
  { segmentId, chunkCount }: SegmentState,
  deps: ReaderDeps,
): Promise<Leased> {
  const key = { projectId, segmentId };
  const cached = naming(key, () => deps.cache.find(key));
  if (cached !== null) return requireCount(cached, { key, chunkCount });
  const bytes = await readSegmentBytes(key, deps.store);
  if (bytes === null) return "gone";
  const added = naming(key, () => deps.cache.add(key, toCurrentVersion(bytes, deps.versions)));
  return added === null ? "no room" : requireCount(added, { key, chunkCount });
}

/** A segment of another number of chunks is not the one that the store put there. */
function requireCount(
  lease: SegmentLease,
  { key, chunkCount }: { readonly key: SegmentKey; readonly chunkCount: number },
): SegmentLease {
  const found = lease.segment.chunkCount;
  if (found === chunkCount) return lease;
  lease.release();
  throw new DamagedIndexError(key, new Error(`it holds ${found} chunks and not ${chunkCount}`));
}

/** Gives the damage that `read` meets the name of the segment. */
function naming<T>(key: SegmentKey, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof DamagedSegmentError ? new DamagedIndexError(key, error) : error;
  }
}

async function leaseAll(
  projectId: string,
  state: IndexState,
  deps: ReaderDeps,
): Promise<readonly SegmentLease[] | "gone" | "no room"> {
  const leases: SegmentLease[] = [];
  let fault: "gone" | "no room" | null = null;
  try {
    for (const segment of state.segments) {
      const leased = await lease(projectId, segment, deps);
      if (typeof leased === "string") {
        fault = leased;
        break;
      }
      leases.push(leased);
    }
    return fault ?? leases;
  } catch (error) {
    fault = "gone";
    throw error;
  } finally {
    if (fault !== null) for (const each of leases) each.release();
  }
}

function heldIndex(projectId: string, state: IndexState, leases: readonly SegmentLease[]): OpenIndex {
  return {
    hidden: state.segments.map(hiddenVersions),
    staysOpen: true,
    isComplete: true,
    async visit(look, isWanted = () => true) {
      for (const [place, { segment }] of leases.entries()) {
        const segmentId = state.segments[place]?.segmentId ?? 0;
        if (isWanted(place)) naming({ projectId, segmentId }, () => look(segment, place));
      }
    },
    release() {
      for (const each of leases) each.release();
    },
  };
}

function passingIndex(projectId: string, state: IndexState, deps: ReaderDeps): OpenIndex {
  let isComplete = true;
  const order = [...state.segments.entries()];

  async function lookAt(segment: SegmentState, look: (segment: Segment) => void): Promise<void> {
    let waitMs = FIRST_ROOM_WAIT_MS;
    for (let wait = 0; wait < MAX_ROOM_WAITS; wait++) {
      const leased = await lease(projectId, segment, deps);
      if (leased === "no room") {
        await setTimeout(waitMs);
        waitMs = Math.min(2 * waitMs, LONGEST_ROOM_WAIT_MS);
        continue;
      }
      if (leased === "gone") {
        isComplete = false;
        return;
      }
      try {
        naming({ projectId, segmentId: segment.segmentId }, () => look(leased.segment));
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
    async visit(look, isWanted = () => true) {
      for (const [place, segment] of order) {
        if (isWanted(place)) await lookAt(segment, (opened) => look(opened, place));
      }
      // The next look begins with what this one left in the cache.
      order.reverse();
    },
    release() {},
  };
}

function hiddenVersions(segment: SegmentState): ReadonlySet<number> {
  return new Set([...segment.dead, ...segment.staged]);
}
