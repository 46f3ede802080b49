/** Puts the parts of a segment together. */
import { encodeDictionary } from "./dictionary.ts";
import { layoutOf, MAX_SEGMENT_CHUNKS, type SegmentCounts, sealSegment } from "./format.ts";
import type { PostingList } from "./postings.ts";

/** A document's chunks in the order of their positions. */
export interface WrittenDocument {
  readonly versionId: number;
  readonly sourceDocId: string;
  readonly firstOrdinal: number;
}

/** Everything a segment says, chunks in ascending order of (versionId, position): their places are the ordinals. */
export interface SegmentContent {
  readonly dimensions: number;
  readonly documents: readonly WrittenDocument[];
  readonly positions: Uint32Array;
  readonly lengths: Uint32Array;
  readonly scales: Float32Array;
  readonly rows: Int8Array;
  readonly terms: ReadonlyMap<string, PostingList>;
}

/** The place of a chunk to be, as far as it decides the order. */
export interface OrderedChunk {
  readonly versionId: number;
  readonly position: number;
  readonly sourceDocId: string;
}

/** Sorts by (versionId, position). */
export function inSegmentOrder<C extends OrderedChunk>(chunks: readonly C[]): readonly C[] {
  return chunks.toSorted((one, other) => one.versionId - other.versionId || one.position - other.position);
}

/**
 * Groups ordered chunks by version. Throws a RangeError on what no segment can hold: a chunk twice, a version
 * with two documents, keys that are no safe integers, ids that are no well-formed Unicode.
 */
export function documentsOf(chunks: readonly OrderedChunk[]): WrittenDocument[] {
  if (chunks.length > MAX_SEGMENT_CHUNKS) {
    throw new RangeError(`a segment holds at most ${MAX_SEGMENT_CHUNKS} chunks, not ${chunks.length}`);
  }
  const documents: WrittenDocument[] = [];
  let previous: OrderedChunk | undefined;
  for (const [ordinal, chunk] of chunks.entries()) {
    checkChunk(chunk, previous);
    const { versionId, sourceDocId } = chunk;
    if (versionId !== previous?.versionId) documents.push({ versionId, sourceDocId, firstOrdinal: ordinal });
    previous = chunk;
  }
  return documents;
}

function checkChunk(chunk: OrderedChunk, previous: OrderedChunk | undefined): void {
  const { versionId, position, sourceDocId } = chunk;
  const name = `chunk ${position} of version ${versionId}`;
  if (!Number.isSafeInteger(versionId) || versionId < 0 || position !== position >>> 0) {
    throw new RangeError(`${name} cannot be indexed: its key is no pair of whole numbers in range`);
  }
  if (!sourceDocId.isWellFormed())
    throw new RangeError(`${name} has a source document id with lone surrogates`);
  if (previous?.versionId !== versionId) return;
  if (previous.position === position) throw new RangeError(`${name} occurs twice`);
  if (previous.sourceDocId !== sourceDocId) throw new RangeError(`${name} has two source document ids`);
}

export function writeSegment(content: SegmentContent): Uint8Array {
  const { documents, positions, lengths, scales, rows, dimensions } = content;
  const encoder = new TextEncoder();
  const ids = documents.map(({ sourceDocId }) => encoder.encode(sourceDocId));
  const { dictionary, postings, blockStarts, blockPostings } = encodeDictionary(content.terms);
  const counts: SegmentCounts = {
    chunkCount: positions.length,
    documentCount: documents.length,
    dimensions,
    termCount: content.terms.size,
    tokenCount: lengths.reduce((sum, length) => sum + length, 0),
    sourceDocIdBytes: ids.reduce((sum, id) => sum + id.length, 0),
    dictionaryBytes: dictionary.length,
    postingBytes: postings.length,
  };
  const layout = layoutOf(counts);
  const bytes = new Uint8Array(layout.end);
  const put = (part: ArrayBufferView, at: number) =>
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
  put(
    BigUint64Array.from(documents, ({ versionId }) => BigInt(versionId)),
    layout.versionIds,
  );
  put(
    Uint32Array.from([...documents.map((document) => document.firstOrdinal), positions.length]),
    layout.firstOrdinals,
  );
  put(endsOf(ids), layout.sourceDocIdEnds);
  put(Buffer.concat(ids), layout.sourceDocIds);
  put(positions, layout.positions);
  put(lengths, layout.lengths);
  put(scales, layout.scales);
  put(blockStarts, layout.blockStarts);
  put(blockPostings, layout.blockPostings);
  put(dictionary, layout.dictionary);
  put(postings, layout.postings);
  put(rows, layout.rows);
  sealSegment(bytes, counts);
  return bytes;
}

function endsOf(parts: readonly Uint8Array[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(parts, (part) => {
    end += part.length;
    return end;
  });
}
