/** Opened segments by the project and segment they are stored under, in memory that all query threads share. */
import { createHash } from "node:crypto";
import type { SegmentKey } from "../../domain/index-damage.ts";
import { LOCK_AT } from "./directory-layout.ts";
import { openSegment, type Segment } from "./segment.ts";
import { createSegmentDirectory, type Lookup, type SegmentDirectory } from "./segment-directory.ts";
import { createSharedLock, type SharedLock } from "./shared-lock.ts";
import { requireThread, type SharedIndexMemory } from "./shared-memory.ts";

/** The right to use a segment; while one is out, in any thread, the segment stays. */
export interface SegmentLease {
  readonly segment: Segment;
  /** Doing it twice does no harm. */
  release(): void;
}

export interface SegmentCache {
  /** Of all threads; never above the limit. */
  readonly usedBytes: number;
  readonly segmentCount: number;
  /** Null if the segment has to be read from the store and then be given to `add`. */
  find(key: SegmentKey): SegmentLease | null;
  /**
   * Keeps a copy of a segment, unless it is here already; unleased ones make room for it, those unused for longest
   * first. Null where leases leave no room. Throws a DamagedSegmentError.
   */
  add(key: SegmentKey, bytes: Uint8Array): SegmentLease | null;
  /** Forgets the segments of a project that it no longer has; leased ones go with their last lease. */
  retain(projectId: string, segmentIds: ReadonlySet<number>): void;
}

/** A segment is copied and checked in some 10 ms; a thread that takes longer has died over it. */
const LOAD_LIMIT_MS = 5_000;
/** Segments that a thread keeps opened, leased or not: a few kilobytes each, the bytes aside. */
const MAX_OPENED = 2_048;
const MAX_KNOWN_PROJECTS = 256;

/**
 * The view that one thread has of the segments in shared memory. Two threads that want the same segment end with one
 * copy: the second waits for the first, asleep. Segments never change, so what is here is right for ever.
 */
export function createSegmentCache({
  shared,
  thread,
}: {
  readonly shared: SharedIndexMemory;
  readonly thread: number;
}): SegmentCache {
  requireThread(shared, thread);
  const words = new Int32Array(shared.control);
  const lock = createSharedLock(words, LOCK_AT);
  const directory = createSegmentDirectory(words);
  const opener = createOpener({ buffer: shared.memory.buffer, words, lock, directory });
  const projectOf = createProjectHash();

  function obtain(look: () => Lookup, bytes: Uint8Array | null): SegmentLease | null {
    const end = performance.now() + LOAD_LIMIT_MS;
    for (;;) {
      const found = lock.hold(look);
      if (found.kind === "absent") return null;
      if (found.kind === "ready") return opener.open(found.entry, found.stamp);
      if (found.kind === "claimed" && bytes !== null) return opener.load(found.entry, bytes);
      const left = end - performance.now();
      if (left <= 0) return null;
      Atomics.wait(words, directory.stampAt(found.entry), found.stamp, left);
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
      return obtain(() => directory.find(name), null);
    },
    add({ projectId, segmentId }, bytes) {
      const name = { project: projectOf(projectId), segmentId };
      return obtain(() => directory.claim(name, bytes.byteLength), bytes);
    },
    retain(projectId, segmentIds) {
      const project = projectOf(projectId);
      lock.hold(() => directory.dropOthers(project, segmentIds));
    },
  };
}

/** From an entry that this thread leases to the lease that is handed out. */
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
    const { address, byteLength } = directory.placeOf(entry);
    return new Uint8Array(parts.buffer, address, byteLength);
  }

  return {
    /** Copies and checks outside of the lock: the others find theirs meanwhile. */
    load(entry: number, bytes: Uint8Array): SegmentLease {
      try {
        const place = viewOf(entry);
        place.set(bytes);
        const segment = openSegment(place);
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
  /** Of the entry when it was opened. */
  readonly stamp: number;
}

/** This thread's objects over shared bytes, those used last. */
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

/** 128 bits of a project's id, the same in all threads. */
function createProjectHash(): (projectId: string) => Int32Array {
  const known = new Map<string, Int32Array>();
  return (projectId) => {
    const found = known.get(projectId);
    if (found !== undefined) return found;
    const digest = createHash("sha256").update(projectId).digest();
    const hash = Int32Array.from({ length: 4 }, (_, at) => digest.readInt32LE(4 * at));
    if (known.size >= MAX_KNOWN_PROJECTS) known.clear();
    known.set(projectId, hash);
    return hash;
  };
}
