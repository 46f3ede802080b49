/** The document table of a segment: the documents, their order, and the chunks of each. */
import { type ChunkColumns, DamagedSegmentError, type SegmentCounts, type SegmentLayout } from "./format.ts";

/** Access to an opened segment's bytes at the offsets of the layout. */
export interface Sections {
  readonly counts: SegmentCounts;
  readonly layout: SegmentLayout;
  bytes(at: number, length: number): Uint8Array;
  words(at: number, length: number): Uint32Array;
}

export interface DocumentTable {
  versionIdAt(place: number): number;
  /** Cached after the first decoding, because ties are broken by it. */
  sourceDocIdAt(place: number): string;
  /** The ordinal of a document's first chunk; for a place after the last document, the number of chunks. */
  firstOrdinalAt(place: number): number;
  /** The place of a version's document, or −1. */
  findDocument(versionId: number): number;
  /** The place of a chunk's document. */
  documentOf(ordinal: number): number;
  /** The places of all versions of a source document: from `first` up to, but not including, `end`. */
  placesOf(sourceDocId: string): { readonly first: number; readonly end: number };
}

/**
 * Throws a DamagedSegmentError if places, ordinals or versions are inconsistent. Reads the whole table once.
 */
export function documentTable(
  { layout, counts, bytes, words }: Sections,
  { positions }: ChunkColumns,
): DocumentTable {
  const { documentCount, chunkCount } = counts;
  const halves = words(layout.versionIds, 2 * documentCount);
  const versionIdAt = (place: number) => (halves[2 * place] ?? 0) + (halves[2 * place + 1] ?? 0) * 2 ** 32;
  const versionOrder = words(layout.versionOrder, documentCount);
  const versionAt = (index: number) => versionIdAt(versionOrder[index] ?? 0);
  const firstOrdinals = words(layout.firstOrdinals, documentCount + 1);
  const idEnds = words(layout.sourceDocIdEnds, documentCount);
  checkDocuments(counts, { versionOrder, versionAt, firstOrdinals, idEnds, positions });
  const sourceDocIdAt = sourceDocIdReader(bytes(layout.sourceDocIds, counts.sourceDocIdBytes), idEnds);
  return {
    versionIdAt,
    sourceDocIdAt,
    firstOrdinalAt: (place) => firstOrdinals[place] ?? chunkCount,
    findDocument(versionId) {
      const index = findFirst(documentCount, (place) => versionAt(place) >= versionId);
      return index < documentCount && versionAt(index) === versionId ? (versionOrder[index] ?? 0) : -1;
    },
    documentOf: (ordinal) => findFirst(documentCount, (place) => (firstOrdinals[place] ?? 0) > ordinal) - 1,
    placesOf: (sourceDocId) => ({
      first: findFirst(documentCount, (place) => sourceDocIdAt(place) >= sourceDocId),
      end: findFirst(documentCount, (place) => sourceDocIdAt(place) > sourceDocId),
    }),
  };
}

function sourceDocIdReader(ids: Uint8Array, idEnds: Uint32Array): DocumentTable["sourceDocIdAt"] {
  const decode = createUtf8Decoder();
  const decoded = new Array<string | undefined>(idEnds.length);
  return (place) => {
    const id = decoded[place] ?? decode(ids, idEnds[place - 1] ?? 0, idEnds[place] ?? 0);
    decoded[place] = id;
    return id;
  };
}

/**
 * Creates a decoder of UTF-8 between two offsets. TextDecoder rejects shared memory, so the few bytes are
 * copied.
 */
export function createUtf8Decoder(): (bytes: Uint8Array, start: number, end: number) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return (bytes, start, end) => {
    try {
      return decoder.decode(bytes.slice(start, end));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new DamagedSegmentError("a string in it is not valid UTF-8");
    }
  };
}

function checkDocuments(
  { documentCount, chunkCount, sourceDocIdBytes }: SegmentCounts,
  table: {
    readonly versionOrder: Uint32Array;
    versionAt(index: number): number;
    readonly firstOrdinals: Uint32Array;
    readonly idEnds: Uint32Array;
    readonly positions: Uint32Array;
  },
): void {
  const { versionOrder, versionAt, firstOrdinals, idEnds, positions } = table;
  let isConsistent = firstOrdinals[0] === 0 && firstOrdinals[documentCount] === chunkCount;
  isConsistent &&= (idEnds[documentCount - 1] ?? 0) === sourceDocIdBytes;
  for (let place = 0; isConsistent && place < documentCount; place++) {
    const start = firstOrdinals[place] ?? 0;
    const end = firstOrdinals[place + 1] ?? 0;
    isConsistent = start < end && end <= chunkCount && (idEnds[place - 1] ?? 0) <= (idEnds[place] ?? 0);
    isConsistent &&= (versionOrder[place] ?? 0) < documentCount && Number.isSafeInteger(versionAt(place));
    isConsistent &&= place === 0 || versionAt(place - 1) < versionAt(place);
    for (let ordinal = start + 1; isConsistent && ordinal < end; ordinal++) {
      isConsistent = (positions[ordinal - 1] ?? 0) < (positions[ordinal] ?? 0);
    }
  }
  if (!isConsistent) throw new DamagedSegmentError("its document table is inconsistent");
}

/**
 * Binary search for the first of `count` indexes at which the monotonic predicate `isTrue` is true; `count`
 * if there is none.
 */
function findFirst(count: number, isTrue: (place: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
