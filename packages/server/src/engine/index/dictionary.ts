/** The sorted terms of a segment, front-coded in blocks. Each term stores the offset of its postings. */
import { BLOCK_TERMS, DamagedSegmentError } from "./format.ts";
import { encodePostings, type PostingBuffer } from "./postings.ts";
import { createByteWriter, createVarintReader, type VarintReader } from "./varint.ts";

export interface TermEntry {
  /** The number of postings of the term. */
  readonly count: number;
  /** Offsets into the postings. */
  readonly start: number;
  readonly end: number;
}

/** The bytes of a dictionary and of its terms' postings. */
export interface EncodedDictionary {
  readonly termCount: number;
  readonly dictionary: Uint8Array;
  /** For each block: its offset in `dictionary`, and the offset of its first postings. */
  readonly blockStarts: Uint32Array;
  readonly blockPostings: Uint32Array;
  readonly postings: Uint8Array;
}

export interface StoredDictionary extends EncodedDictionary {
  /** All ordinals in postings are below this, so no term can have more postings. */
  readonly ordinalCount: number;
}

/** Iterates over a dictionary in ascending order of UTF-8 bytes. No term is current until the first `next`. */
export interface DictionaryCursor extends TermEntry {
  /** The current term is the first `length` of these bytes; valid until the next call of `next`. */
  readonly bytes: Uint8Array;
  readonly length: number;
  /**
   * Advances to the next term; false after the last one. Throws a DamagedSegmentError if the entries are
   * inconsistent.
   */
  next(): boolean;
}

export interface Dictionary {
  readonly stored: StoredDictionary;
  /**
   * Looks up a term by its UTF-8 bytes: a binary search over blocks, then a scan of one block, all in place.
   */
  find(utf8: Uint8Array): TermEntry | null;
  /** A cursor at the first term; or, if a term is given, at the start of the block that would contain it. */
  walk(from?: Uint8Array): DictionaryCursor;
}

export interface DictionaryWriter {
  /**
   * Adds the term in the first `length` bytes with `count` postings. Throws a RangeError unless terms ascend
   * by bytes.
   */
  add(
    term: { readonly bytes: Uint8Array; readonly length: number },
    from: PostingBuffer,
    count: number,
  ): void;
  finish(): EncodedDictionary;
}

/**
 * Layout of an entry: number of bytes shared with the previous term, number of further bytes, those bytes,
 * number of postings, number of bytes of postings.
 */
export function createDictionaryWriter(): DictionaryWriter {
  const dictionary = createByteWriter();
  const postings = createByteWriter();
  const blockStarts: number[] = [];
  const blockPostings: number[] = [];
  let previous: Uint8Array = new Uint8Array(256);
  let previousLength = -1;
  let termCount = 0;
  return {
    add({ bytes, length }, from, count) {
      const common = commonLength(previous, Math.max(0, previousLength), bytes, length);
      const isAscending =
        common < length && (common === previousLength || (bytes[common] ?? 0) > (previous[common] ?? 0));
      if (!isAscending && previousLength >= 0)
        throw new RangeError("terms must be added in ascending order of their bytes");
      const isFirst = termCount++ % BLOCK_TERMS === 0;
      const start = postings.length;
      if (isFirst) {
        blockStarts.push(dictionary.length);
        blockPostings.push(start);
      }
      const shared = isFirst ? 0 : common;
      encodePostings(from, count, postings);
      dictionary.varint(shared);
      dictionary.varint(length - shared);
      dictionary.raw(bytes, shared, length);
      dictionary.varint(count);
      dictionary.varint(postings.length - start);
      previous = ensureCapacity(previous, length);
      for (let at = common; at < length; at++) previous[at] = bytes[at] ?? 0;
      previousLength = length;
    },
    finish: () => ({
      termCount,
      dictionary: dictionary.written(),
      blockStarts: Uint32Array.from(blockStarts),
      blockPostings: Uint32Array.from(blockPostings),
      postings: postings.written(),
    }),
  };
}

function commonLength(one: Uint8Array, oneLength: number, other: Uint8Array, otherLength: number): number {
  const limit = Math.min(oneLength, otherLength);
  let common = 0;
  while (common < limit && one[common] === other[common]) common++;
  return common;
}

/** Throws a DamagedSegmentError if the blocks are not contiguous. */
export function openDictionary(stored: StoredDictionary): Dictionary {
  checkBlocks(stored);
  const reader = createVarintReader(stored.dictionary, 0);
  return {
    stored,
    find(utf8) {
      const block = blockFor(stored, reader, utf8);
      return block < 0 ? null : findInBlock(stored, reader, { block, term: utf8 });
    },
    walk: (from) => openCursor(stored, from === undefined ? 0 : Math.max(0, blockFor(stored, reader, from))),
  };
}

function checkBlocks({ dictionary, postings, blockStarts, blockPostings }: StoredDictionary): void {
  const blockCount = blockStarts.length;
  let fits =
    blockCount > 0
      ? blockStarts[0] === 0 && blockPostings[0] === 0
      : dictionary.length + postings.length === 0;
  for (let block = 0; block < blockCount; block++) {
    const start = blockStarts[block] ?? 0;
    fits &&= start < (blockStarts[block + 1] ?? dictionary.length);
    fits &&= (blockPostings[block] ?? 0) <= (blockPostings[block + 1] ?? postings.length);
  }
  if (!fits) throw inconsistentDictionary();
}

function inconsistentDictionary(): DamagedSegmentError {
  return new DamagedSegmentError("its dictionary is inconsistent");
}

/** The last block whose first term is not above `term`, or −1. */
function blockFor(stored: StoredDictionary, reader: VarintReader, term: Uint8Array): number {
  const { dictionary, blockStarts } = stored;
  let low = 0;
  let high = blockStarts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    reader.at = (blockStarts[middle] ?? 0) + 1;
    const length = reader.next();
    const from = reader.at;
    const limit = Math.min(length, term.length);
    let same = 0;
    while (same < limit && dictionary[from + same] === term[same]) same++;
    const isAbove = same === limit ? length > limit : (dictionary[from + same] ?? 0) > (term[same] ?? 0);
    if (isAbove) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/**
 * Compares without decoding whole terms. `matched` is the number of bytes that `term` shares with the
 * previous entry, which is below `term`. An entry that shares more bytes with the previous one is therefore
 * also below `term`; one that shares fewer is above.
 */
function findInBlock(
  stored: StoredDictionary,
  reader: VarintReader,
  { block, term }: { readonly block: number; readonly term: Uint8Array },
): TermEntry | null {
  const { dictionary, termCount, blockStarts, blockPostings } = stored;
  const entries = Math.min(BLOCK_TERMS, termCount - block * BLOCK_TERMS);
  reader.at = blockStarts[block] ?? 0;
  let start = blockPostings[block] ?? 0;
  let matched = 0;
  for (let index = 0; index < entries; index++) {
    const shared = reader.next();
    const length = shared + reader.next();
    const from = reader.at - shared;
    let isFound = false;
    if (shared < matched) return null;
    if (shared === matched) {
      const limit = Math.min(length, term.length);
      while (matched < limit && dictionary[from + matched] === term[matched]) matched++;
      isFound = matched === length && matched === term.length;
      if (!isFound && matched < length) {
        if (matched === term.length || (dictionary[from + matched] ?? 0) > (term[matched] ?? 0)) return null;
      }
    }
    reader.at = from + length;
    const count = reader.next();
    const end = start + reader.next();
    if (isFound) {
      checkEntry(stored, { at: reader.at, count, start, end });
      return { count, start, end };
    }
    start = end;
  }
  return null;
}

/** Prevents a forged entry from causing reads or allocations beyond what the segment can hold. */
function checkEntry(
  { dictionary, postings, ordinalCount }: StoredDictionary,
  { at, count, start, end }: TermEntry & { readonly at: number },
): void {
  const fits =
    at <= dictionary.length && end <= postings.length && count <= ordinalCount && count <= end - start;
  if (!fits) throw inconsistentDictionary();
}

function openCursor(stored: StoredDictionary, firstBlock: number): DictionaryCursor {
  const { dictionary, termCount, blockStarts, blockPostings, postings } = stored;
  const reader = createVarintReader(dictionary, blockStarts[firstBlock] ?? 0);
  const end = blockPostings[firstBlock] ?? 0;
  const firstRemaining = termCount - firstBlock * BLOCK_TERMS;
  let remaining = firstRemaining;
  let block = firstBlock;
  const checkPosition = (): void => {
    const isAtBlock = remaining > 0 ? blockStarts[block] === reader.at : dictionary.length === reader.at;
    const isAtPostings = remaining > 0 ? blockPostings[block] === cursor.end : postings.length === cursor.end;
    if (!isAtBlock || !isAtPostings) throw inconsistentDictionary();
    block++;
  };
  const next = (): boolean => {
    const isFirst = (termCount - remaining) % BLOCK_TERMS === 0;
    if (remaining <= 0 || isFirst) checkPosition();
    if (remaining <= 0) return false;
    const shared = reader.next();
    const length = shared + reader.next();
    const from = reader.at - shared;
    if (shared > (isFirst ? 0 : cursor.length) || from + length > dictionary.length)
      throw inconsistentDictionary();
    if (remaining < firstRemaining && !isAbove(dictionary, { from, shared, length }, cursor))
      throw inconsistentDictionary();
    cursor.bytes = ensureCapacity(cursor.bytes, length);
    for (let at = shared; at < length; at++) cursor.bytes[at] = dictionary[from + at] ?? 0;
    reader.at = from + length;
    cursor.length = length;
    cursor.count = reader.next();
    cursor.start = cursor.end;
    cursor.end += reader.next();
    checkEntry(stored, { at: reader.at, count: cursor.count, start: cursor.start, end: cursor.end });
    remaining--;
    return true;
  };
  const cursor = { bytes: new Uint8Array(256) as Uint8Array, length: 0, count: 0, start: end, end, next };
  return cursor;
}

/**
 * Whether the term at `from` is above `previous`. Its first `shared` bytes are those of `previous` and are
 * not stored.
 */
function isAbove(
  dictionary: Uint8Array,
  { from, shared, length }: { readonly from: number; readonly shared: number; readonly length: number },
  previous: Pick<DictionaryCursor, "bytes" | "length">,
): boolean {
  const limit = Math.min(length, previous.length);
  let common = shared;
  while (common < limit && dictionary[from + common] === previous.bytes[common]) common++;
  if (common === limit) return length > previous.length;
  return (dictionary[from + common] ?? 0) > (previous.bytes[common] ?? 0);
}

function ensureCapacity(bytes: Uint8Array, length: number): Uint8Array {
  if (length <= bytes.length) return bytes;
  const grown = new Uint8Array(2 * length);
  grown.set(bytes);
  return grown;
}
