/** Assembles a segment from its parts. */
import type { EncodedDictionary } from "./dictionary.ts";
import {
  type ChunkColumns,
  columnsOf,
  type DictionaryLayout,
  layoutOf,
  MAX_SEGMENT_CHUNKS,
  type SegmentCounts,
  sealSegment,
} from "./format.ts";

/** A document version; its chunks are contiguous, in the order of their positions. */
export interface WrittenDocument {
  readonly versionId: number;
  readonly sourceDocId: string;
  readonly firstOrdinal: number;
}

/**
 * The content of a segment. Documents are in the order of {@link compareDocuments}; their indexes are their
 * places.
 */
export interface SegmentContent {
  readonly dimensions: number;
  readonly chunkCount: number;
  readonly documents: readonly WrittenDocument[];
  /** Postings are ordinals of chunks. */
  readonly terms: EncodedDictionary;
  /** Postings are places of documents. */
  readonly metadata: EncodedDictionary;
  /** Writes the columns, which are initially zeros, directly into the segment. */
  fill(columns: ChunkColumns): void;
}

/** The order of documents in a segment: by sourceDocId (UTF-16 code units), then versionId. */
export function compareDocuments(
  one: Pick<WrittenDocument, "versionId" | "sourceDocId">,
  other: Pick<WrittenDocument, "versionId" | "sourceDocId">,
): number {
  if (one.sourceDocId !== other.sourceDocId) return one.sourceDocId < other.sourceDocId ? -1 : 1;
  return one.versionId - other.versionId;
}

/** Throws a RangeError if a segment cannot hold that many chunks. */
export function requireRoom(chunkCount: number): void {
  if (chunkCount > MAX_SEGMENT_CHUNKS) {
    throw new RangeError(`a segment holds at most ${MAX_SEGMENT_CHUNKS} chunks, not ${chunkCount}`);
  }
}

/** Throws a RangeError if there are too many chunks or if two documents have the same versionId. */
export function writeSegment(content: SegmentContent): Uint8Array {
  const { documents, chunkCount, dimensions, terms, metadata } = content;
  requireRoom(chunkCount);
  const encoder = new TextEncoder();
  const ids = documents.map(({ sourceDocId }) => encoder.encode(sourceDocId));
  const counts = {
    chunkCount,
    documentCount: documents.length,
    dimensions,
    termCount: terms.termCount,
    tokenCount: 0,
    sourceDocIdBytes: ids.reduce((sum, id) => sum + id.length, 0),
    dictionaryBytes: terms.dictionary.length,
    postingBytes: terms.postings.length,
    metadataTermCount: metadata.termCount,
    metadataDictionaryBytes: metadata.dictionary.length,
    metadataPostingBytes: metadata.postings.length,
  } satisfies SegmentCounts;
  const layout = layoutOf(counts);
  const bytes = new Uint8Array(layout.end);
  const write: WritePart = (part, at) =>
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
  const versionIds = BigUint64Array.from(documents, ({ versionId }) => BigInt(versionId));
  write(versionIds, layout.versionIds);
  write(placesByVersion(documents), layout.versionOrder);
  const firstOrdinals = [...documents.map((document) => document.firstOrdinal), chunkCount];
  write(Uint32Array.from(firstOrdinals), layout.firstOrdinals);
  write(endsOf(ids), layout.sourceDocIdEnds);
  write(Buffer.concat(ids), layout.sourceDocIds);
  writeDictionary(metadata, layout.metadata, write);
  writeDictionary(terms, layout.terms, write);
  const columns = columnsOf(bytes, counts);
  content.fill(columns);
  const tokenCount = columns.lengths.reduce((sum, length) => sum + length, 0);
  sealSegment(bytes, { ...counts, tokenCount });
  return bytes;
}

type WritePart = (part: ArrayBufferView, at: number) => void;

function writeDictionary(encoded: EncodedDictionary, layout: DictionaryLayout, write: WritePart): void {
  write(encoded.blockStarts, layout.blockStarts);
  write(encoded.blockPostings, layout.blockPostings);
  write(encoded.dictionary, layout.dictionary);
  write(encoded.postings, layout.postings);
}

function placesByVersion(documents: readonly WrittenDocument[]): Uint32Array {
  const versionIdAt = (place: number) => documents[place]?.versionId ?? 0;
  const places = Uint32Array.from(documents.keys()).sort((a, b) => versionIdAt(a) - versionIdAt(b));
  for (let index = 1; index < places.length; index++) {
    const versionId = versionIdAt(places[index] ?? 0);
    if (versionId === versionIdAt(places[index - 1] ?? 0)) {
      throw new RangeError(`version ${versionId} has two source document ids`);
    }
  }
  return places;
}

function endsOf(parts: readonly Uint8Array[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(parts, (part) => {
    end += part.length;
    return end;
  });
}
