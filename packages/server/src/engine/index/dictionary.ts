/** The sorted terms of a segment, front-coded in blocks, each with the place of its postings. */
import { BLOCK_TERMS, DamagedSegmentError } from "./format.ts";
import { encodePostings, type PostingList } from "./postings.ts";
import { createByteWriter, createVarintReader } from "./varint.ts";

export interface TermEntry {
  /** How many chunks of the segment hold the term, hidden ones included. */
  readonly chunkCount: number;
  /** Offsets into the postings. */
  readonly start: number;
  readonly end: number;
}

export interface Dictionary {
  /** Cost: a binary search over blocks and a walk through one. */
  find(term: string): TermEntry | null;
  /** All terms in ascending order of their UTF-8 bytes. */
  entries(): Generator<TermEntry & { readonly term: string }>;
}

export interface DictionaryBytes {
  readonly termCount: number;
  readonly dictionary: Uint8Array;
  /** For each block, where it begins in `dictionary` and where its first postings begin. */
  readonly blockStarts: Uint32Array;
  readonly blockPostings: Uint32Array;
}

interface RawEntry extends TermEntry {
  readonly bytes: Uint8Array;
}

/** An entry is: bytes shared with the term before, further bytes, these, chunks, bytes of postings. */
export function encodeDictionary(
  terms: ReadonlyMap<string, PostingList>,
): DictionaryBytes & { postings: Uint8Array } {
  const dictionary = createByteWriter();
  const postings = createByteWriter();
  const blockStarts: number[] = [];
  const blockPostings: number[] = [];
  let previous: Uint8Array = new Uint8Array(0);
  for (const [index, { bytes, list }] of sortedTerms(terms).entries()) {
    const isFirst = index % BLOCK_TERMS === 0;
    if (isFirst) {
      blockStarts.push(dictionary.length);
      blockPostings.push(postings.length);
    }
    const shared = isFirst ? 0 : sharedPrefix(previous, bytes);
    const start = postings.length;
    encodePostings(list, postings);
    dictionary.varint(shared);
    dictionary.varint(bytes.length - shared);
    dictionary.raw(bytes.subarray(shared));
    dictionary.varint(list.ordinals.length);
    dictionary.varint(postings.length - start);
    previous = bytes;
  }
  return {
    termCount: terms.size,
    dictionary: dictionary.written(),
    postings: postings.written(),
    blockStarts: Uint32Array.from(blockStarts),
    blockPostings: Uint32Array.from(blockPostings),
  };
}

function sortedTerms(terms: ReadonlyMap<string, PostingList>): { bytes: Uint8Array; list: PostingList }[] {
  const encoder = new TextEncoder();
  return [...terms]
    .map(([term, list]) => ({ bytes: encoder.encode(term), list }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes));
}

function sharedPrefix(one: Uint8Array, other: Uint8Array): number {
  const limit = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < limit && one[shared] === other[shared]) shared++;
  return shared;
}

export function openDictionary(stored: DictionaryBytes): Dictionary {
  return {
    find(term) {
      const wanted = new TextEncoder().encode(term);
      const block = blockFor(stored, wanted);
      if (block < 0) return null;
      for (const { bytes, ...entry } of readBlock(stored, block)) {
        const order = Buffer.compare(bytes, wanted);
        if (order === 0) return entry;
        if (order > 0) return null;
      }
      return null;
    },
    *entries() {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      for (let block = 0; block < stored.blockStarts.length; block++) {
        for (const { bytes, ...entry } of readBlock(stored, block)) {
          yield { term: decoder.decode(bytes), ...entry };
        }
      }
    },
  };
}

/** The last block whose first term is not above the wanted one, or −1. */
function blockFor({ dictionary, blockStarts }: DictionaryBytes, wanted: Uint8Array): number {
  let low = 0;
  let high = blockStarts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const reader = createVarintReader(dictionary, (blockStarts[middle] ?? 0) + 1);
    const length = reader.next();
    const first = dictionary.subarray(reader.at, reader.at + length);
    if (Buffer.compare(first, wanted) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The bytes of an entry are only valid until the next one is read. */
function* readBlock(stored: DictionaryBytes, block: number): Generator<RawEntry> {
  const { dictionary, termCount } = stored;
  const reader = createVarintReader(dictionary, stored.blockStarts[block] ?? 0);
  let start = stored.blockPostings[block] ?? 0;
  let term = new Uint8Array(256);
  const count = Math.min(BLOCK_TERMS, termCount - block * BLOCK_TERMS);
  for (let index = 0; index < count; index++) {
    const shared = reader.next();
    const length = shared + reader.next();
    const rest = dictionary.subarray(reader.at, reader.at + length - shared);
    if (shared + rest.length !== length) throw new DamagedSegmentError("its dictionary does not fit");
    if (length > term.length) term = grownTo(length, term);
    term.set(rest, shared);
    reader.at += rest.length;
    const chunkCount = reader.next();
    const end = start + reader.next();
    yield { bytes: term.subarray(0, length), chunkCount, start, end };
    start = end;
  }
}

function grownTo(length: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(length);
  grown.set(bytes);
  return grown;
}
