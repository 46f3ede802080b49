/**
 * Directory of the segments in shared memory: where each one is stored, who leases it, and which one is
 * evicted. All state is in words that the threads share; every function here must be called while holding the
 * lock in the word `LOCK_AT`.
 */
import {
  BYTES,
  IDLE,
  LEASES,
  SEGMENT_COUNT_AT,
  STAMP,
  START_UNIT,
  STATE_CELL,
  UNIT_BYTES,
  USED_UNITS_AT,
  VACANT,
} from "./directory-layout.ts";
import { createSegmentAllocator } from "./segment-allocator.ts";
import { createSegmentNames, type SegmentName } from "./segment-names.ts";
import { createSharedLists } from "./shared-lists.ts";

/**
 * `entry` identifies an entry of the directory. Its `stamp` changes whenever the entry starts to load,
 * becomes ready or becomes vacant.
 */
export type Lookup =
  | { readonly kind: "ready" | "loading" | "claimed"; readonly entry: number; readonly stamp: number }
  | { readonly kind: "absent" };

export interface SegmentDirectory {
  /** Leases the segment if it is ready. */
  find(name: SegmentName): Lookup;
  /**
   * Like `find` for a segment that is in memory. Otherwise allocates and leases room in which the caller
   * loads the segment ("claimed"), evicting segments without leases, least recently used first. "absent" if
   * the leased segments leave too little room.
   */
  claim(name: SegmentName, byteLength: number): Lookup;
  /** Marks the segment of a claimed entry as loaded. Returns the new stamp. */
  publish(entry: number): number;
  /** Ends a lease. An entry that was dropped in the meantime is freed with its last lease. */
  release(entry: number): void;
  /** Removes a segment from the name tables; its entry and memory are freed once no thread leases it. */
  drop(entry: number): void;
  /** Drops all segments of a project except these. */
  dropOthers(project: Int32Array, segmentIds: ReadonlySet<number>): void;
  /** The index of the word that holds the stamp, for `Atomics.wait`. */
  stampAt(entry: number): number;
  /** The memory of a leased entry's segment. */
  memoryOf(entry: number): { readonly address: number; readonly byteLength: number };
  readonly usedBytes: number;
  readonly segmentCount: number;
}

export function createSegmentDirectory(words: Int32Array): SegmentDirectory {
  const lists = createSharedLists(words);
  const names = createSegmentNames(words);
  const allocator = createSegmentAllocator(words, vacate);
  const states = createEntryStates(words);

  function vacate(entry: number): void {
    names.unlist(entry);
    allocator.free(entry);
    states.makeVacant(entry);
  }

  function drop(entry: number): void {
    if (states.isLeased(entry)) names.unlist(entry);
    else vacate(entry);
  }

  function allocateEntry(byteLength: number): number | null {
    const oldest = lists.next(IDLE);
    if (lists.isAlone(VACANT) && oldest !== IDLE) vacate(oldest - STATE_CELL);
    if (lists.isAlone(VACANT)) return null;
    const entry = lists.next(VACANT) - STATE_CELL;
    if (!allocator.allocate(entry, Math.max(1, Math.ceil(byteLength / UNIT_BYTES)))) return null;
    words[entry + BYTES] = byteLength;
    return entry;
  }

  return {
    find(name) {
      const entry = names.find(name);
      return entry === null ? { kind: "absent" } : states.lease(entry);
    },
    claim(name, byteLength) {
      const known = names.find(name);
      if (known !== null) return states.lease(known);
      const entry = allocateEntry(byteLength);
      if (entry === null) return { kind: "absent" };
      names.list(entry, name);
      return states.makeLoading(entry);
    },
    publish: states.makeReady,
    release(entry) {
      if (states.release(entry) > 0) return;
      if (names.isListed(entry)) lists.insertBefore(IDLE, entry + STATE_CELL);
      else vacate(entry);
    },
    drop,
    dropOthers: (project, segmentIds) => names.others(project, segmentIds).forEach(drop),
    stampAt: (entry) => entry + STAMP,
    memoryOf: (entry) => ({
      address: (words[entry + START_UNIT] ?? 0) * UNIT_BYTES,
      byteLength: words[entry + BYTES] ?? 0,
    }),
    get usedBytes() {
      return Atomics.load(words, USED_UNITS_AT) * UNIT_BYTES;
    },
    get segmentCount() {
      return Atomics.load(words, SEGMENT_COUNT_AT);
    },
  };
}

/** State transitions of an entry: vacant → loading (one lease) → ready (any number of leases) → vacant. */
function createEntryStates(words: Int32Array) {
  const lists = createSharedLists(words);
  const word = (at: number): number => words[at] ?? 0;
  const removeFromList = (entry: number): void => lists.remove(entry + STATE_CELL);

  /** Stored atomically, so that a thread that is about to wait for a change does not miss it. */
  function setStamp(entry: number, stamp: number): number {
    Atomics.store(words, entry + STAMP, stamp | 0);
    return stamp | 0;
  }
  /** The stamp of an entry is odd while it loads. */
  const nextStamp = (entry: number, isLoading: boolean): number =>
    setStamp(entry, ((word(entry + STAMP) >> 1) + 1) * 2 + (isLoading ? 1 : 0));
  const addTo = (at: number, change: number): number => {
    words[at] = word(at) + change;
    return word(at);
  };

  return {
    isLeased: (entry: number): boolean => word(entry + LEASES) > 0,
    lease(entry: number): Lookup {
      const stamp = word(entry + STAMP);
      if ((stamp & 1) === 1) return { kind: "loading", entry, stamp };
      if (addTo(entry + LEASES, 1) === 1) removeFromList(entry);
      return { kind: "ready", entry, stamp };
    },
    /** Returns the number of remaining leases. */
    release: (entry: number): number => addTo(entry + LEASES, -1),
    makeLoading(entry: number): Lookup {
      removeFromList(entry);
      words[entry + LEASES] = 1;
      addTo(SEGMENT_COUNT_AT, 1);
      return { kind: "claimed", entry, stamp: nextStamp(entry, true) };
    },
    makeReady: (entry: number): number => nextStamp(entry, false),
    makeVacant(entry: number): void {
      removeFromList(entry);
      lists.insertBefore(lists.next(VACANT), entry + STATE_CELL);
      addTo(SEGMENT_COUNT_AT, -1);
      nextStamp(entry, false);
    },
  };
}
