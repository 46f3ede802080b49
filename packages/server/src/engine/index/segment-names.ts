/** Finds entries of the segment directory by name and by project: two hash tables with chaining. */
import {
  ID_HIGH,
  ID_LOW,
  NAME_CELL,
  nameBucket,
  PROJECT,
  PROJECT_CELL,
  PROJECT_WORDS,
  projectBucket,
} from "./directory-layout.ts";
import { createSharedLists } from "./shared-lists.ts";

export interface SegmentName {
  /** 128 bits of a hash of the project's id. */
  readonly project: Int32Array;
  readonly segmentId: number;
}

export interface SegmentNames {
  find(name: SegmentName): number | null;
  /** Lists an unlisted entry under a name. */
  list(entry: number, name: SegmentName): void;
  /** Idempotent. */
  unlist(entry: number): void;
  isListed(entry: number): boolean;
  /** The project's listed entries, except those of these segments. */
  others(project: Int32Array, segmentIds: ReadonlySet<number>): readonly number[];
}

export function createSegmentNames(words: Int32Array): SegmentNames {
  const lists = createSharedLists(words);
  const word = (at: number): number => words[at] ?? 0;
  const idOf = (entry: number): number =>
    (word(entry + ID_LOW) >>> 0) + (word(entry + ID_HIGH) >>> 0) * 2 ** 32;

  function isOf(project: Int32Array, entry: number): boolean {
    for (let at = 0; at < PROJECT_WORDS; at++) {
      if (word(entry + PROJECT + at) !== project[at]) return false;
    }
    return true;
  }

  return {
    find({ project, segmentId }) {
      const bucket = nameBucket(project, segmentId);
      for (let cell = lists.next(bucket); cell !== bucket; cell = lists.next(cell)) {
        const entry = cell - NAME_CELL;
        if (idOf(entry) === segmentId && isOf(project, entry)) return entry;
      }
      return null;
    },
    list(entry, { project, segmentId }) {
      words.set(project, entry + PROJECT);
      words[entry + ID_LOW] = segmentId | 0;
      words[entry + ID_HIGH] = Math.floor(segmentId / 2 ** 32);
      lists.insertBefore(nameBucket(project, segmentId), entry + NAME_CELL);
      lists.insertBefore(projectBucket(project), entry + PROJECT_CELL);
    },
    unlist(entry) {
      lists.remove(entry + NAME_CELL);
      lists.remove(entry + PROJECT_CELL);
    },
    isListed: (entry) => !lists.isAlone(entry + NAME_CELL),
    others(project, segmentIds) {
      const entries: number[] = [];
      const bucket = projectBucket(project);
      for (let cell = lists.next(bucket); cell !== bucket; cell = lists.next(cell)) {
        const entry = cell - PROJECT_CELL;
        if (isOf(project, entry) && !segmentIds.has(idOf(entry))) entries.push(entry);
      }
      return entries;
    },
  };
}
