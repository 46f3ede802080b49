/** Layout of the segment directory's words: counters, list anchors, entries. */
import { createSharedLists } from "./shared-lists.ts";

/** Memory is allocated in units of this size. */
export const UNIT_BYTES = 64;
const MAX_ENTRIES = 8192;
const NAME_BUCKETS = 8192;
const PROJECT_BUCKETS = 1024;

export const LOCK_AT = 0;
export const USED_UNITS_AT = 1;
export const SEGMENT_COUNT_AT = 2;
/** Bounds of the memory for segments, in units from the start of the memory. */
export const FIRST_UNIT_AT = 3;
export const END_UNIT_AT = 4;

/**
 * Anchors of three lists: unused entries; entries without leases, least recently used first; entries with
 * allocated memory, by address.
 */
export const VACANT = 6;
export const IDLE = 8;
export const ALLOCATED = 10;
const NAMES = 12;
const PROJECTS = NAMES + 2 * NAME_BUCKETS;
const ENTRIES_AT = PROJECTS + 2 * PROJECT_BUCKETS;

/** Offsets of an entry's words. */
export const STAMP = 0;
export const PROJECT = 1;
export const PROJECT_WORDS = 4;
export const ID_LOW = 5;
export const ID_HIGH = 6;
export const START_UNIT = 7;
export const UNITS = 8;
export const BYTES = 9;
export const LEASES = 10;
/**
 * The entry's list cells: in its name's bucket, in its project's bucket, by address, and in `VACANT` or
 * `IDLE`.
 */
export const NAME_CELL = 12;
export const PROJECT_CELL = 14;
export const ADDRESS_CELL = 16;
export const STATE_CELL = 18;
const ENTRY_WORDS = 20;

export const CONTROL_WORDS = ENTRIES_AT + MAX_ENTRIES * ENTRY_WORDS;

/**
 * The anchor of the bucket for a segment name. Project hashes are uniformly distributed, segment ids are
 * consecutive.
 */
export function nameBucket(project: Int32Array, segmentId: number): number {
  const mixed = Math.imul((project[0] ?? 0) ^ (segmentId | 0), 0x9e37_79b1);
  return NAMES + 2 * ((mixed >>> 16) % NAME_BUCKETS);
}

export function projectBucket(project: Int32Array): number {
  return PROJECTS + 2 * ((project[1] ?? 0) & (PROJECT_BUCKETS - 1));
}

/** Initializes an empty directory in words that are all 0, for the memory from `at`, a multiple of 64. */
export function formatControl(
  words: Int32Array,
  memory: { readonly at: number; readonly byteLength: number },
): void {
  const lists = createSharedLists(words);
  words[FIRST_UNIT_AT] = memory.at / UNIT_BYTES;
  words[END_UNIT_AT] = Math.floor((memory.at + memory.byteLength) / UNIT_BYTES);
  for (let anchor = VACANT; anchor < ENTRIES_AT; anchor += 2) lists.reset(anchor);
  for (let entry = ENTRIES_AT; entry < CONTROL_WORDS; entry += ENTRY_WORDS) {
    for (const cell of [NAME_CELL, PROJECT_CELL, ADDRESS_CELL]) lists.reset(entry + cell);
    lists.insertBefore(VACANT, entry + STATE_CELL);
  }
}
