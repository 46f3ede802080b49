/** Opened segments by the project and segment they are stored under, within a limit of bytes. */
import type { DenseScanner } from "./dense-scanner.ts";
import { openSegment, type Segment } from "./segment.ts";

export interface SegmentKey {
  readonly projectId: string;
  readonly segmentId: string | number;
}

/** The right to use a segment; while one is out, the segment stays. */
export interface SegmentLease {
  readonly segment: Segment;
  /** Doing it twice does no harm. */
  release(): void;
}

export interface SegmentCache {
  /** Bytes of segments and of their rows in the scanner; above the limit only while leases demand it. */
  readonly usedBytes: number;
  readonly segmentCount: number;
  /** Null if the segment has to be read from the store and then be given to `add`. */
  find(key: SegmentKey): SegmentLease | null;
  /** Opens a segment and keeps it, unless it is here already. Throws a DamagedSegmentError. */
  add(key: SegmentKey, bytes: Uint8Array): SegmentLease;
  /** Forgets the segments of a project that it no longer has: merged away, or deleted with it. */
  retain(projectId: string, segmentIds: ReadonlySet<string | number>): void;
}

interface Entry {
  readonly key: SegmentKey;
  readonly segment: Segment;
  /** As opened: what the scanner knows the rows by. */
  readonly stored: Segment;
  isHeld: boolean;
  leaseCount: number;
}

/**
 * A cache of at most `maxBytes` that drops what was least recently used and is not leased. Segments never change, so
 * an entry is right for ever. Rows lie in the scanner's memory too, as far as there is room; where there is not, the
 * rows of segments unused for longest make room first.
 */
export function createSegmentCache({
  maxBytes,
  scanner,
}: {
  readonly maxBytes: number;
  readonly scanner: DenseScanner;
}): SegmentCache {
  // In order of use: the first is the one unused for longest.
  const entries = new Map<string, Entry>();
  let usedBytes = 0;

  const releaseRows = (entry: Entry): void => {
    if (entry.isHeld) usedBytes -= entry.stored.rows.byteLength;
    entry.isHeld = false;
    scanner.release(entry.stored);
  };
  const holdRows = (entry: Entry): void => {
    if (entry.isHeld) return;
    const idle = entries.values().filter((other) => other.isHeld && other.leaseCount === 0);
    while (!scanner.hold(entry.stored)) {
      const { value: victim } = idle.next();
      if (victim === undefined) return;
      releaseRows(victim);
    }
    entry.isHeld = true;
    usedBytes += entry.stored.rows.byteLength;
  };
  const drop = (name: string, entry: Entry): void => {
    entries.delete(name);
    usedBytes -= entry.stored.byteLength;
    if (entry.leaseCount === 0) releaseRows(entry);
  };
  const shrink = (): void => {
    for (const [name, entry] of entries) {
      if (usedBytes <= maxBytes) return;
      if (entry.leaseCount === 0) drop(name, entry);
    }
  };
  const lease = (name: string, entry: Entry): SegmentLease => {
    entries.delete(name);
    entries.set(name, entry);
    entry.leaseCount++;
    holdRows(entry);
    shrink();
    return createLease(entry, () => {
      if (entry.leaseCount === 0 && entries.get(name) !== entry) releaseRows(entry);
      shrink();
    });
  };
  return {
    get usedBytes() {
      return usedBytes;
    },
    get segmentCount() {
      return entries.size;
    },
    find(key) {
      const name = nameOf(key);
      const entry = entries.get(name);
      return entry === undefined ? null : lease(name, entry);
    },
    add(key, bytes) {
      const name = nameOf(key);
      const known = entries.get(name);
      if (known !== undefined) return lease(name, known);
      const stored = openSegment(bytes);
      const segment = { ...stored, dots: scanner.dots.bind(scanner, stored) };
      usedBytes += stored.byteLength;
      return lease(name, { key, segment, stored, isHeld: false, leaseCount: 0 });
    },
    retain(projectId, segmentIds) {
      for (const [name, entry] of entries) {
        if (entry.key.projectId === projectId && !segmentIds.has(entry.key.segmentId)) drop(name, entry);
      }
    },
  };
}

function createLease(entry: Entry, onRelease: () => void): SegmentLease {
  let isReleased = false;
  return {
    segment: entry.segment,
    release() {
      if (isReleased) return;
      isReleased = true;
      entry.leaseCount--;
      onRelease();
    },
  };
}

function nameOf({ projectId, segmentId }: SegmentKey): string {
  return JSON.stringify([projectId, segmentId]);
}
