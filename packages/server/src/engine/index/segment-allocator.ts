/**
 * Allocates memory for segments: first fit, in the gaps between allocated entries in order of their
 * addresses.
 */
import {
  ADDRESS_CELL,
  ALLOCATED,
  END_UNIT_AT,
  FIRST_UNIT_AT,
  IDLE,
  LEASES,
  START_UNIT,
  STATE_CELL,
  UNITS,
  USED_UNITS_AT,
} from "./directory-layout.ts";
import { createSharedLists } from "./shared-lists.ts";

export interface SegmentAllocator {
  /**
   * Allocates `units` for an entry. Returns false, without evicting anything, if leased segments leave no gap
   * that is large enough.
   */
  allocate(entry: number, units: number): boolean;
  /** Frees an entry's memory. Adjacent free areas form one gap. */
  free(entry: number): void;
}

/** `evict` must free the memory of an entry that no thread leases. */
export function createSegmentAllocator(words: Int32Array, evict: (entry: number) => void): SegmentAllocator {
  const lists = createSharedLists(words);
  const word = (at: number): number => words[at] ?? 0;
  const startOf = (cell: number): number =>
    word(cell === ALLOCATED ? END_UNIT_AT : cell - ADDRESS_CELL + START_UNIT);
  const endOf = (cell: number): number =>
    cell === ALLOCATED ? word(FIRST_UNIT_AT) : startOf(cell) + word(cell - ADDRESS_CELL + UNITS);

  /**
   * The entry (its address cell) after which the first gap of at least `units` begins. Only entries for which
   * `isTaken` is true count as occupied.
   */
  function findGap(units: number, isTaken: (entry: number) => boolean): number | null {
    let before = ALLOCATED;
    for (;;) {
      let after = lists.next(before);
      while (after !== ALLOCATED && !isTaken(after - ADDRESS_CELL)) after = lists.next(after);
      if (startOf(after) - endOf(before) >= units) return before;
      if (after === ALLOCATED) return null;
      before = after;
    }
  }

  /** Evicts the least recently used entries until there is a gap. */
  function makeGap(units: number): number | null {
    const gap = findGap(units, () => true);
    if (gap !== null || findGap(units, (entry) => word(entry + LEASES) > 0) === null) return gap;
    for (;;) {
      const oldest = lists.next(IDLE);
      if (oldest === IDLE) return null;
      const before = lists.previous(oldest - STATE_CELL + ADDRESS_CELL);
      evict(oldest - STATE_CELL);
      // Only this gap has changed.
      if (startOf(lists.next(before)) - endOf(before) >= units) return before;
    }
  }

  return {
    allocate(entry, units) {
      const before = makeGap(units);
      if (before === null) return false;
      words[entry + START_UNIT] = endOf(before);
      words[entry + UNITS] = units;
      words[USED_UNITS_AT] = word(USED_UNITS_AT) + units;
      lists.insertBefore(lists.next(before), entry + ADDRESS_CELL);
      return true;
    },
    free(entry) {
      lists.remove(entry + ADDRESS_CELL);
      words[USED_UNITS_AT] = word(USED_UNITS_AT) - word(entry + UNITS);
    },
  };
}
