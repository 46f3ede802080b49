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

interface CacheLimits {
  readonly maxBytes: number;
  readonly scanner: DenseScanner;
}

interface Entry {
  readonly key: SegmentKey;
  readonly name: string;
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
export function createSegmentCache(limits: CacheLimits): SegmentCache {
  const { scanner } = limits;
  const kept = createKeptEntries(limits);
  return {
    get usedBytes() {
      return kept.usedBytes;
    },
    get segmentCount() {
      return kept.entries.size;
    },
    find(key) {
      const entry = kept.entries.get(nameOf(key));
      return entry === undefined ? null : kept.lease(entry);
    },
    add(key, bytes) {
      const known = kept.entries.get(nameOf(key));
      if (known !== undefined) return kept.lease(known);
      const stored = openSegment(bytes);
      const segment = { ...stored, dots: scanner.dots.bind(scanner, stored) };
      return kept.lease({ key, name: nameOf(key), segment, stored, isHeld: false, leaseCount: 0 });
    },
    retain(projectId, segmentIds) {
      for (const entry of kept.entries.values()) {
        if (entry.key.projectId === projectId && !segmentIds.has(entry.key.segmentId)) kept.drop(entry);
      }
    },
  };
}

interface KeptEntries {
  /** In order of use: the first is the one unused for longest. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly usedBytes: number;
  /** Makes an entry the last one used, a new one too. */
  lease(entry: Entry): SegmentLease;
  drop(entry: Entry): void;
}

function createKeptEntries({ maxBytes, scanner }: CacheLimits): KeptEntries {
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
  const drop = (entry: Entry): void => {
    entries.delete(entry.name);
    usedBytes -= entry.stored.byteLength;
    if (entry.leaseCount === 0) releaseRows(entry);
  };
  const shrink = (): void => {
    for (const entry of entries.values()) {
      if (usedBytes <= maxBytes) return;
      if (entry.leaseCount === 0) drop(entry);
    }
  };
  const lease = (entry: Entry): SegmentLease => {
    if (!entries.delete(entry.name)) usedBytes += entry.stored.byteLength;
    entries.set(entry.name, entry);
    entry.leaseCount++;
    holdRows(entry);
    shrink();
    return createLease(entry, () => {
      if (entry.leaseCount === 0 && entries.get(entry.name) !== entry) releaseRows(entry);
      shrink();
    });
  };
  return {
    entries,
    get usedBytes() {
      return usedBytes;
    },
    lease,
    drop,
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
