/**
 * Merges several dictionaries into one, with renumbered postings: a merge of sorted runs on encoded bytes.
 */
import {
  createDictionaryWriter,
  type Dictionary,
  type DictionaryCursor,
  type EncodedDictionary,
} from "./dictionary.ts";
import { createPostingBuffer, decodePostings, type PostingBuffer } from "./postings.ts";

/** Marks an ordinal in a renumbering that is removed. */
export const DROPPED = 0xffff_ffff;

export interface DictionaryInput {
  readonly dictionary: Dictionary;
  /** The new ordinal of each old ordinal, ascending, or DROPPED. */
  readonly renumbering: Uint32Array;
}

interface Source extends DictionaryInput {
  readonly cursor: DictionaryCursor;
}

/**
 * Terms without surviving postings are omitted. `holders` gives, by new ordinal, the number of inputs that
 * contain it, or is null if no ordinal is in two inputs. All inputs that contain an ordinal must have the
 * same terms for it; each term then gets one posting. Throws a RangeError if they differ.
 */
export function mergeDictionaries(
  inputs: readonly DictionaryInput[],
  holders: Uint32Array | null,
): EncodedDictionary {
  const sources = inputs.map((input) => ({ ...input, cursor: input.dictionary.walk() }));
  const heap = createSourceHeap(sources.filter(({ cursor }) => cursor.next()));
  const renumberings = inputs.map(({ renumbering }) => renumbering);
  const postings = createPostingMerge(renumberings, { mayRepeat: holders !== null });
  const writer = createDictionaryWriter();
  const term = { bytes: new Uint8Array(256), length: 0 };
  for (let smallest = heap.smallest(); smallest !== undefined; smallest = heap.smallest()) {
    const { bytes, length } = smallest.cursor;
    if (length > term.bytes.length) term.bytes = new Uint8Array(2 * length);
    for (let at = 0; at < length; at++) term.bytes[at] = bytes[at] ?? 0;
    term.length = length;
    postings.clear();
    for (let next: Source | undefined = smallest; next !== undefined; next = heap.smallest()) {
      if (compareTerms(next.cursor, term) !== 0) break;
      postings.add(next);
      heap.advance();
    }
    const merged = postings.merge();
    const count = holders === null ? merged.count : deduplicatePostings(merged.buffer, merged.count, holders);
    if (count > 0) writer.add(term, merged.buffer, count);
  }
  return writer.finish();
}

type TermBytes = Pick<DictionaryCursor, "bytes" | "length">;

function compareTerms(one: TermBytes, other: TermBytes): number {
  const limit = Math.min(one.length, other.length);
  for (let at = 0; at < limit; at++) {
    const difference = (one.bytes[at] ?? 0) - (other.bytes[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

interface SourceHeap {
  /** The source whose cursor is at the smallest term. */
  smallest(): Source | undefined;
  /** Advances that source to its next term. */
  advance(): void;
}

function createSourceHeap(sources: readonly Source[]): SourceHeap {
  const heap = [...sources].sort((one, other) => compareTerms(one.cursor, other.cursor));
  const siftDown = (): void => {
    const [moved] = heap;
    if (moved === undefined) return;
    let place = 0;
    for (let child = 1; child < heap.length; child = 2 * place + 1) {
      let smaller = heap[child] as Source;
      const right = heap[child + 1];
      if (right !== undefined && compareTerms(right.cursor, smaller.cursor) < 0) {
        smaller = right;
        child++;
      }
      if (compareTerms(moved.cursor, smaller.cursor) <= 0) break;
      heap[place] = smaller;
      place = child;
    }
    heap[place] = moved;
  };
  return {
    smallest: () => heap[0],
    advance() {
      const last = heap[0]?.cursor.next() === false ? heap.pop() : undefined;
      if (last !== undefined && heap.length > 0) heap[0] = last;
      siftDown();
    },
  };
}

interface PostingMerge {
  clear(): void;
  /** Decodes the postings of the source's current term. */
  add(source: Source): void;
  /** All postings added since `clear`, ascending; valid until the next `add`. */
  merge(): { readonly buffer: PostingBuffer; readonly count: number };
}

/**
 * Terms that occur in at least 1/16 of the chunks are sorted by a table of all chunks, which is faster than
 * merging runs.
 */
const DENSE_SHARE = 16;

/** With `mayRepeat` an ordinal may occur in several inputs; the result then contains all of its postings. */
function createPostingMerge(
  renumberings: readonly Uint32Array[],
  { mayRepeat }: { readonly mayRepeat: boolean },
): PostingMerge {
  const size = renumberings.reduce((sum, { length }) => sum + length, 0);
  const ordinalCount = countSurvivors(renumberings);
  const table = new Uint32Array(mayRepeat ? 0 : ordinalCount);
  let buffer = createPostingBuffer(size);
  let spare = createPostingBuffer(size);
  /** The ends of the buffer's ascending runs. */
  let ends: number[] = [];
  return {
    clear() {
      ends = [];
    },
    add({ dictionary: { stored }, cursor, renumbering }) {
      const { postings: bytes, ordinalCount } = stored;
      const { count, start, end } = cursor;
      const at = ends.at(-1) ?? 0;
      const decoded = decodePostings({ bytes, start, end, count, ordinalCount }, buffer, at);
      const renumberedEnd = renumber(buffer, renumbering, { from: at, to: decoded });
      if (renumberedEnd > at) ends.push(renumberedEnd);
    },
    merge() {
      const count = ends.at(-1) ?? 0;
      if (ends.length > 1 && !mayRepeat && count * DENSE_SHARE >= ordinalCount) {
        ends = [sortDense(buffer, count, { table, into: spare })];
        [buffer, spare] = [spare, buffer];
      }
      while (ends.length > 1) {
        ends = mergePairs(buffer, ends, spare);
        [buffer, spare] = [spare, buffer];
      }
      return { buffer, count: ends[0] ?? 0 };
    },
  };
}

/** Renumbers the postings `from`…`to` and removes dropped ones; returns the new end. */
function renumber(
  { ordinals, frequencies }: PostingBuffer,
  renumbering: Uint32Array,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  let place = from;
  for (let index = from; index < to; index++) {
    const ordinal = renumbering[ordinals[index] ?? 0] ?? DROPPED;
    if (ordinal === DROPPED) continue;
    ordinals[place] = ordinal;
    frequencies[place] = frequencies[index] ?? 0;
    place++;
  }
  return place;
}

/** The number of new ordinals if no ordinal is in two inputs. */
function countSurvivors(renumberings: readonly Uint32Array[]): number {
  let count = 0;
  for (const renumbering of renumberings) {
    for (const ordinal of renumbering) if (ordinal !== DROPPED) count++;
  }
  return count;
}

/**
 * Stores the frequencies by ordinal in `table`, which is all zeros before and after, and reads them back in
 * order.
 */
function sortDense(
  from: PostingBuffer,
  count: number,
  { table, into }: { readonly table: Uint32Array; readonly into: PostingBuffer },
): number {
  for (let index = 0; index < count; index++) {
    table[from.ordinals[index] ?? 0] = from.frequencies[index] ?? 0;
  }
  let place = 0;
  for (let ordinal = 0; ordinal < table.length; ordinal++) {
    const frequency = table[ordinal] ?? 0;
    if (frequency === 0) continue;
    into.ordinals[place] = ordinal;
    into.frequencies[place++] = frequency;
    table[ordinal] = 0;
  }
  return place;
}

/**
 * Merges each pair of adjacent runs of `from` into one run of `into` and returns the ends of the new runs.
 */
function mergePairs(from: PostingBuffer, ends: readonly number[], into: PostingBuffer): number[] {
  const merged: number[] = [];
  let start = 0;
  for (let run = 0; run < ends.length; run += 2) {
    const middle = ends[run] ?? 0;
    const end = ends[run + 1] ?? middle;
    mergePair(from, into, { start, middle, end });
    merged.push(end);
    start = end;
  }
  return merged;
}

function mergePair(
  from: PostingBuffer,
  into: PostingBuffer,
  { start, middle, end }: { readonly start: number; readonly middle: number; readonly end: number },
): void {
  let left = start;
  let right = middle;
  for (let place = start; place < end; place++) {
    const isLeft =
      right === end || (left < middle && (from.ordinals[left] ?? 0) <= (from.ordinals[right] ?? 0));
    const next = isLeft ? left++ : right++;
    into.ordinals[place] = from.ordinals[next] ?? 0;
    into.frequencies[place] = from.frequencies[next] ?? 0;
  }
}

/**
 * Reduces equal postings to one. There must be as many as inputs that contain the ordinal. Returns the new
 * count.
 */
function deduplicatePostings(
  { ordinals, frequencies }: PostingBuffer,
  count: number,
  holders: Uint32Array,
): number {
  let place = 0;
  for (let index = 0, end = 0; index < count; index = end) {
    const ordinal = ordinals[index] ?? 0;
    end = index + 1;
    while (end < count && ordinals[end] === ordinal) end++;
    if (end - index !== holders[ordinal]) {
      throw new RangeError("segments to merge have different metadata for the same document");
    }
    ordinals[place] = ordinal;
    frequencies[place] = frequencies[index] ?? 0;
    place++;
  }
  return place;
}
