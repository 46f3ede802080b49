/** The documents of a segment: which they are, in which order, and which chunks are theirs. */
import { type ChunkColumns, DamagedSegmentError, type SegmentCounts, type SegmentLayout } from "./format.ts";

/** An opened segment's bytes; offsets are those of the layout. */
export interface Sections {
  readonly counts: SegmentCounts;
  readonly layout: SegmentLayout;
  bytes(at: number, length: number): Uint8Array;
  words(at: number, length: number): Uint32Array;
}

export interface DocumentTable {
  versionIdAt(place: number): number;
  /** Decoded once and then remembered: ties are broken by it. */
  sourceDocIdAt(place: number): string;
  /** The ordinal of a document's first chunk; of a place behind the last, the number of chunks. */
  firstOrdinalAt(place: number): number;
  /** The place of a version, or −1. */
  findDocument(versionId: number): number;
  /** The place of the document that a chunk belongs to. */
  documentOf(ordinal: number): number;
  /** The places of a document's versions: from `first` up to, not including, `end`. */
  placesOf(sourceDocId: string): { readonly first: number; readonly end: number };
}

/** Throws a DamagedSegmentError if places, ordinals or versions are not where they can be. Reads the whole table once. */
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
      const index = firstWhere(documentCount, (place) => versionAt(place) >= versionId);
      return index < documentCount && versionAt(index) === versionId ? (versionOrder[index] ?? 0) : -1;
    },
    documentOf: (ordinal) => firstWhere(documentCount, (place) => (firstOrdinals[place] ?? 0) > ordinal) - 1,
    placesOf: (sourceDocId) => ({
      first: firstWhere(documentCount, (place) => sourceDocIdAt(place) >= sourceDocId),
      end: firstWhere(documentCount, (place) => sourceDocIdAt(place) > sourceDocId),
    }),
  };
}

function sourceDocIdReader(ids: Uint8Array, idEnds: Uint32Array): DocumentTable["sourceDocIdAt"] {
  const decode = createDecode();
  const decoded = new Array<string | undefined>(idEnds.length);
  return (place) => {
    const id = decoded[place] ?? decode(ids, idEnds[place - 1] ?? 0, idEnds[place] ?? 0);
    decoded[place] = id;
    return id;
  };
}

/** Decodes UTF-8 between two offsets. Text decoders refuse shared memory, so the few bytes are copied. */
export function createDecode(): (bytes: Uint8Array, start: number, end: number) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return (bytes, start, end) => {
    try {
      return decoder.decode(bytes.slice(start, end));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new DamagedSegmentError("a name in it is no UTF-8");
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
  let fits = firstOrdinals[0] === 0 && firstOrdinals[documentCount] === chunkCount;
  fits &&= (idEnds[documentCount - 1] ?? 0) === sourceDocIdBytes;
  for (let place = 0; fits && place < documentCount; place++) {
    const start = firstOrdinals[place] ?? 0;
    const end = firstOrdinals[place + 1] ?? 0;
    fits = start < end && end <= chunkCount && (idEnds[place - 1] ?? 0) <= (idEnds[place] ?? 0);
    fits &&= (versionOrder[place] ?? 0) < documentCount && Number.isSafeInteger(versionAt(place));
    fits &&= place === 0 || versionAt(place - 1) < versionAt(place);
    for (let ordinal = start + 1; fits && ordinal < end; ordinal++) {
      fits = (positions[ordinal - 1] ?? 0) < (positions[ordinal] ?? 0);
    }
  }
  if (!fits) throw new DamagedSegmentError("its table of documents does not fit");
}

/** The first of `count` places where what is false at first and then true is true; `count` if it is nowhere. */
function firstWhere(count: number, isTrue: (place: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
