/** Deals out the memory for segments: first fit, in the gaps between the entries in order of their addresses. */
import {
  END_UNIT_AT,
  FIRST_UNIT_AT,
  IDLE,
  LEASES,
  PLACE_CELL,
  PLACED,
  START_UNIT,
  STATE_CELL,
  UNITS,
  USED_UNITS_AT,
} from "./directory-layout.ts";
import { createSharedLists } from "./shared-lists.ts";

export interface SegmentPlaces {
  /** Gives an entry that many units. False where what is leased leaves no such room; then nothing is evicted. */
  take(entry: number, units: number): boolean;
  /** What is free between two entries is one gap, whatever lay there. */
  giveBack(entry: number): void;
}

/** `evict` is to give back an entry that nobody leases. */
export function createSegmentPlaces(words: Int32Array, evict: (entry: number) => void): SegmentPlaces {
  const lists = createSharedLists(words);
  const word = (at: number): number => words[at] ?? 0;
  const startOf = (place: number): number =>
    word(place === PLACED ? END_UNIT_AT : place - PLACE_CELL + START_UNIT);
  const endOf = (place: number): number =>
    place === PLACED ? word(FIRST_UNIT_AT) : startOf(place) + word(place - PLACE_CELL + UNITS);

  /** The place behind which the first gap of that size begins, where only some entries count as taken. */
  function findGap(units: number, isTaken: (entry: number) => boolean): number | null {
    let behind = PLACED;
    for (;;) {
      let ahead = lists.next(behind);
      while (ahead !== PLACED && !isTaken(ahead - PLACE_CELL)) ahead = lists.next(ahead);
      if (startOf(ahead) - endOf(behind) >= units) return behind;
      if (ahead === PLACED) return null;
      behind = ahead;
    }
  }

  /** Evicts what is unused for longest until there is a gap. */
  function makeGap(units: number): number | null {
    const free = findGap(units, () => true);
    if (free !== null || findGap(units, (entry) => word(entry + LEASES) > 0) === null) return free;
    for (;;) {
      const oldest = lists.next(IDLE);
      if (oldest === IDLE) return null;
      const behind = lists.previous(oldest - STATE_CELL + PLACE_CELL);
      evict(oldest - STATE_CELL);
      // Only here has anything changed.
      if (startOf(lists.next(behind)) - endOf(behind) >= units) return behind;
    }
  }

  return {
    take(entry, units) {
      const behind = makeGap(units);
      if (behind === null) return false;
      words[entry + START_UNIT] = endOf(behind);
      words[entry + UNITS] = units;
      words[USED_UNITS_AT] = word(USED_UNITS_AT) + units;
      lists.insertBefore(lists.next(behind), entry + PLACE_CELL);
      return true;
    },
    giveBack(entry) {
      lists.remove(entry + PLACE_CELL);
      words[USED_UNITS_AT] = word(USED_UNITS_AT) - word(entry + UNITS);
    },
  };
}
