/**
 * Which segment lies where in shared memory, who uses it, and what gives way. All of it is in words that the threads
 * share; every function that is here is to be called under the lock in the word `LOCK_AT`.
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
import { createSegmentNames, type SegmentName } from "./segment-names.ts";
import { createSegmentPlaces } from "./segment-places.ts";
import { createSharedLists } from "./shared-lists.ts";

/** `entry` is a number in the directory; its `stamp` changes whenever a segment begins, has come or ends to be there. */
export type Lookup =
  | { readonly kind: "ready" | "loading" | "claimed"; readonly entry: number; readonly stamp: number }
  | { readonly kind: "absent" };

export interface SegmentDirectory {
  /** Leases a segment that is ready. */
  find(name: SegmentName): Lookup;
  /**
   * The same for a segment that is here; otherwise leases room for one to be loaded ("claimed"), taking it from
   * what nobody leases, unused for longest first. "absent" where what is leased leaves no such room.
   */
  claim(name: SegmentName, byteLength: number): Lookup;
  /** The segment of a claimed entry is there now. Returns its stamp. */
  publish(entry: number): number;
  /** Ends a lease. What was dropped meanwhile goes with the last one. */
  release(entry: number): void;
  /** Makes a segment unknown; its entry and memory are free when nobody leases it. */
  drop(entry: number): void;
  /** Drops the segments of a project but these. */
  dropOthers(project: Int32Array, segmentIds: ReadonlySet<number>): void;
  /** The word that holds the stamp: it can be waited for. */
  stampAt(entry: number): number;
  /** Where the segment of a leased entry lies. */
  placeOf(entry: number): { readonly address: number; readonly byteLength: number };
  readonly usedBytes: number;
  readonly segmentCount: number;
}

export function createSegmentDirectory(words: Int32Array): SegmentDirectory {
  const lists = createSharedLists(words);
  const names = createSegmentNames(words);
  const places = createSegmentPlaces(words, vacate);
  const states = createEntryStates(words);

  function vacate(entry: number): void {
    names.unlist(entry);
    places.giveBack(entry);
    states.makeVacant(entry);
  }

  function drop(entry: number): void {
    if (states.isLeased(entry)) names.unlist(entry);
    else vacate(entry);
  }

  function take(byteLength: number): number | null {
    const oldest = lists.next(IDLE);
    if (lists.isAlone(VACANT) && oldest !== IDLE) vacate(oldest - STATE_CELL);
    if (lists.isAlone(VACANT)) return null;
    const entry = lists.next(VACANT) - STATE_CELL;
    if (!places.take(entry, Math.max(1, Math.ceil(byteLength / UNIT_BYTES)))) return null;
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
      const entry = take(byteLength);
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
    placeOf: (entry) => ({
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

/** From vacant to loading with one lease, to ready with any number of them, to vacant again. */
function createEntryStates(words: Int32Array) {
  const lists = createSharedLists(words);
  const word = (at: number): number => words[at] ?? 0;
  const leaveList = (entry: number): void => lists.remove(entry + STATE_CELL);

  /** Stored so that no thread that is about to wait for a change misses it. */
  function setStamp(entry: number, stamp: number): number {
    Atomics.store(words, entry + STAMP, stamp | 0);
    return stamp | 0;
  }
  /** Stamps of what is being loaded are odd. */
  const nextStamp = (entry: number, isLoading: boolean): number =>
    setStamp(entry, ((word(entry + STAMP) >> 1) + 1) * 2 + (isLoading ? 1 : 0));
  const count = (at: number, change: number): number => {
    words[at] = word(at) + change;
    return word(at);
  };

  return {
    isLeased: (entry: number): boolean => word(entry + LEASES) > 0,
    lease(entry: number): Lookup {
      const stamp = word(entry + STAMP);
      if ((stamp & 1) === 1) return { kind: "loading", entry, stamp };
      if (count(entry + LEASES, 1) === 1) leaveList(entry);
      return { kind: "ready", entry, stamp };
    },
    /** Returns how many leases are left. */
    release: (entry: number): number => count(entry + LEASES, -1),
    makeLoading(entry: number): Lookup {
      leaveList(entry);
      words[entry + LEASES] = 1;
      count(SEGMENT_COUNT_AT, 1);
      return { kind: "claimed", entry, stamp: nextStamp(entry, true) };
    },
    makeReady: (entry: number): number => nextStamp(entry, false),
    makeVacant(entry: number): void {
      leaveList(entry);
      lists.insertBefore(lists.next(VACANT), entry + STATE_CELL);
      count(SEGMENT_COUNT_AT, -1);
      nextStamp(entry, false);
    },
  };
}
