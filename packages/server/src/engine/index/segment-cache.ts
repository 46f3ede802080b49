/** Cache of opened segments by project and segment id, in memory that all query threads share. */
import { createHash } from "node:crypto";
import type { SegmentKey } from "../../domain/index-damage.ts";
import { LOCK_AT } from "./directory-layout.ts";
import { openSegment, type Segment } from "./segment.ts";
import { createSegmentDirectory, type Lookup, type SegmentDirectory } from "./segment-directory.ts";
import { createSharedLock, type SharedLock } from "./shared-lock.ts";
import { requireThread, type SharedIndexMemory } from "./shared-memory.ts";

/** The right to use a segment. The segment stays in memory while any thread holds a lease. */
export interface SegmentLease {
  readonly segment: Segment;
  /** Idempotent. */
  release(): void;
}

export interface SegmentCache {
  /** The memory that the segments of all threads use; never above the limit. */
  readonly usedBytes: number;
  readonly segmentCount: number;
  /** Null if the segment must be read from the store and passed to `add`. */
  find(key: SegmentKey): SegmentLease | null;
  /**
   * Copies a segment into the cache unless it is cached already. Segments without leases are evicted to make
   * room, least recently used first. Null if the leased segments leave too little room, or if the thread that
   * loads the segment has died. Throws a DamagedSegmentError.
   */
  add(key: SegmentKey, bytes: Uint8Array): SegmentLease | null;
  /**
   * Drops a project's segments that are not in `segmentIds`; a leased segment is freed with its last lease.
   */
  retain(projectId: string, segmentIds: ReadonlySet<number>): void;
}

/** Copying and checking a segment takes about 10 ms; a thread that takes longer than this limit has died. */
const LOAD_LIMIT_MS = 5_000;
/** Opened segments that a thread caches, leased or not: a few kilobytes each, without the segments' bytes. */
const MAX_OPENED = 2_048;
const MAX_KNOWN_PROJECTS = 256;

/** The time, and how to wait for another thread. */
export interface CacheClock {
  now(): number;
  /** Blocks until `words[index]` is not `value` or is notified, or for `timeoutMs`. */
  wait(words: Int32Array, index: number, value: number, timeoutMs: number): void;
}

const SYSTEM_CLOCK: CacheClock = {
  now: () => performance.now(),
  wait: (words, index, value, timeoutMs) => void Atomics.wait(words, index, value, timeoutMs),
};

/**
 * One thread's access to the segments in shared memory. If two threads need the same segment, the second one
 * blocks until the first one has loaded it, so there is only one copy. Segments are immutable, so a cached
 * segment never becomes stale.
 */
export function createSegmentCache({
  shared,
  thread,
  clock = SYSTEM_CLOCK,
}: {
  readonly shared: SharedIndexMemory;
  readonly thread: number;
  readonly clock?: CacheClock;
}): SegmentCache {
  requireThread(shared, thread);
  const words = new Int32Array(shared.control);
  const lock = createSharedLock(words, LOCK_AT);
  const directory = createSegmentDirectory(words);
  const opener = createOpener({ buffer: shared.memory.buffer, words, lock, directory });
  const projectOf = createProjectHash();

  function acquire(lookUp: () => Lookup, bytes: Uint8Array | null): SegmentLease | null {
    const end = clock.now() + LOAD_LIMIT_MS;
    for (;;) {
      const lookup = lock.hold(lookUp);
      if (lookup.kind === "absent") return null;
      if (lookup.kind === "ready") return opener.open(lookup.entry, lookup.stamp);
      if (lookup.kind === "claimed" && bytes !== null) return opener.load(lookup.entry, bytes);
      const remainingMs = end - clock.now();
      if (remainingMs <= 0) return null;
      clock.wait(words, directory.stampAt(lookup.entry), lookup.stamp, remainingMs);
    }
  }

  return {
    get usedBytes() {
      return directory.usedBytes;
    },
    get segmentCount() {
      return directory.segmentCount;
    },
    find({ projectId, segmentId }) {
      const name = { project: projectOf(projectId), segmentId };
      return acquire(() => directory.find(name), null);
    },
    add({ projectId, segmentId }, bytes) {
      const name = { project: projectOf(projectId), segmentId };
      return acquire(() => directory.claim(name, bytes.byteLength), bytes);
    },
    retain(projectId, segmentIds) {
      const project = projectOf(projectId);
      lock.hold(() => directory.dropOthers(project, segmentIds));
    },
  };
}

/** Turns an entry that this thread leases into the lease object for the caller. */
function createOpener(parts: {
  readonly buffer: ArrayBufferLike;
  readonly words: Int32Array;
  readonly lock: SharedLock;
  readonly directory: SegmentDirectory;
}) {
  const { words, lock, directory } = parts;
  const opened = createOpenedSegments();

  function leaseOf(entry: number, segment: Segment): SegmentLease {
    let isReleased = false;
    return {
      segment,
      release() {
        if (isReleased) return;
        isReleased = true;
        lock.hold(() => directory.release(entry));
      },
    };
  }

  function viewOf(entry: number): Uint8Array {
    const { address, byteLength } = directory.memoryOf(entry);
    return new Uint8Array(parts.buffer, address, byteLength);
  }

  return {
    /** Copies and checks without holding the lock, so that other threads are not blocked. */
    load(entry: number, bytes: Uint8Array): SegmentLease {
      try {
        const view = viewOf(entry);
        view.set(bytes);
        const segment = openSegment(view);
        opened.set(entry, { segment, stamp: lock.hold(() => directory.publish(entry)) });
        return leaseOf(entry, segment);
      } catch (error) {
        lock.hold(() => {
          directory.drop(entry);
          directory.release(entry);
        });
        throw error;
      } finally {
        Atomics.notify(words, directory.stampAt(entry));
      }
    },
    open(entry: number, stamp: number): SegmentLease {
      try {
        const segment = opened.get(entry, stamp) ?? openSegment(viewOf(entry), { isChecked: true });
        opened.set(entry, { segment, stamp });
        return leaseOf(entry, segment);
      } catch (error) {
        lock.hold(() => directory.release(entry));
        throw error;
      }
    },
  };
}

interface OpenedSegment {
  readonly segment: Segment;
  /** The entry's stamp when the segment was opened. */
  readonly stamp: number;
}

/** This thread's segment objects over the shared bytes: the most recently used ones. */
function createOpenedSegments() {
  const kept = new Map<number, OpenedSegment>();
  return {
    get(entry: number, stamp: number): Segment | null {
      const known = kept.get(entry);
      return known?.stamp === stamp ? known.segment : null;
    },
    set(entry: number, opened: OpenedSegment): void {
      kept.delete(entry);
      kept.set(entry, opened);
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_OPENED) return;
        kept.delete(oldest);
      }
    },
  };
}

/** A 128-bit hash of a project's id, the same in all threads. */
function createProjectHash(): (projectId: string) => Int32Array {
  const known = new Map<string, Int32Array>();
  return (projectId) => {
    const cached = known.get(projectId);
    if (cached !== undefined) return cached;
    const digest = createHash("sha256").update(projectId).digest();
    const hash = Int32Array.from({ length: 4 }, (_, at) => digest.readInt32LE(4 * at));
    if (known.size >= MAX_KNOWN_PROJECTS) known.clear();
    known.set(projectId, hash);
    return hash;
  };
}
