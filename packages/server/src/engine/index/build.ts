import type { Metadata } from "../../domain/metadata.ts";
import { createCachedStem } from "../text/stem.ts";
import { indexedTerms } from "../text/terms.ts";
import { createDictionaryWriter, type EncodedDictionary } from "./dictionary.ts";
import { type ChunkColumns, MAX_DIMENSIONS, strideOf } from "./format.ts";
import { metadataTerms } from "./metadata-terms.ts";
import { createPostingBuffer } from "./postings.ts";
import { packSigns, quantizeVector, signStrideOf } from "./quantize.ts";
import { compareDocuments, requireRoom, type WrittenDocument, writeSegment } from "./write-segment.ts";

/** The input of the index for one chunk. */
export interface IndexableChunk {
  readonly versionId: number;
  readonly sourceDocId: string;
  readonly position: number;
  /** The document's metadata; the same for all its chunks. */
  readonly metadata: Metadata;
  /** Header and text: the same text that is embedded. */
  readonly indexedText: string;
  readonly vector: Float32Array;
}

const CACHED_STEMS = 1 << 15;

interface DocumentToWrite extends WrittenDocument {
  readonly metadataTerms: readonly string[];
}

/** The postings of one term; both arrays have the same length, and the ordinals ascend. */
interface PostingList {
  readonly ordinals: number[];
  readonly frequencies: number[];
}

/**
 * Builds a segment from chunks in any order; the same chunks always give the same bytes. Throws a RangeError
 * on input that no segment can represent: more than MAX_SEGMENT_CHUNKS chunks, a duplicate chunk, a version
 * with two documents or with differing metadata, keys that are not safe integers, ids that are not
 * well-formed Unicode, vectors that differ in length or have non-finite components, metadata that
 * {@link metadataTerms} rejects.
 */
export function buildSegment(chunks: readonly IndexableChunk[]): Uint8Array {
  requireRoom(chunks.length);
  const ordered = chunks.toSorted(
    (one, other) => compareDocuments(one, other) || one.position - other.position,
  );
  const documents = documentsOf(ordered);
  const dimensions = ordered[0]?.vector.length ?? 0;
  if (dimensions > MAX_DIMENSIONS) {
    throw new RangeError(`vectors of ${dimensions} dimensions exceed the index's limit of ${MAX_DIMENSIONS}`);
  }
  const { terms, lengths } = invert(ordered);
  return writeSegment({
    dimensions,
    chunkCount: ordered.length,
    documents,
    terms: encode(terms, ordered.length),
    metadata: encode(invertMetadata(documents), documents.length),
    fill(columns) {
      columns.lengths.set(lengths);
      for (const [ordinal, chunk] of ordered.entries()) fillChunk(chunk, ordinal, { columns, dimensions });
    },
  });
}

function documentsOf(ordered: readonly IndexableChunk[]): DocumentToWrite[] {
  const documents: DocumentToWrite[] = [];
  let first: IndexableChunk | undefined;
  let previous: IndexableChunk | undefined;
  for (const [ordinal, chunk] of ordered.entries()) {
    const { versionId, sourceDocId } = chunk;
    checkKey(chunk);
    if (versionId !== first?.versionId || sourceDocId !== first.sourceDocId) {
      documents.push({
        versionId,
        sourceDocId,
        firstOrdinal: ordinal,
        metadataTerms: metadataTerms(chunk.metadata).sort(),
      });
      first = chunk;
    } else {
      if (previous?.position === chunk.position) throw new RangeError(`${nameOf(chunk)} occurs twice`);
      checkMetadata(chunk, first, documents.at(-1)?.metadataTerms ?? []);
    }
    previous = chunk;
  }
  return documents;
}

function nameOf({ position, versionId }: IndexableChunk): string {
  return `chunk ${position} of version ${versionId}`;
}

function checkKey(chunk: IndexableChunk): void {
  const { versionId, position, sourceDocId } = chunk;
  if (!Number.isSafeInteger(versionId) || versionId < 0 || position !== position >>> 0) {
    throw new RangeError(
      `${nameOf(chunk)} cannot be indexed: versionId and position must be non-negative integers in range`,
    );
  }
  if (!sourceDocId.isWellFormed()) {
    throw new RangeError(`${nameOf(chunk)} has a source document id that is not well-formed Unicode`);
  }
}

function checkMetadata(chunk: IndexableChunk, first: IndexableChunk, expected: readonly string[]): void {
  if (chunk.metadata === first.metadata) return;
  const terms = metadataTerms(chunk.metadata).sort();
  if (terms.length === expected.length && terms.every((term, index) => term === expected[index])) return;
  throw new RangeError(`${nameOf(chunk)} has metadata that differs from the first chunk of its version`);
}

function fillChunk(
  { position, vector }: IndexableChunk,
  ordinal: number,
  { columns, dimensions }: { readonly columns: ChunkColumns; readonly dimensions: number },
): void {
  if (vector.length !== dimensions)
    throw new RangeError("all vectors of a segment must have the same length");
  columns.positions[ordinal] = position;
  const start = ordinal * strideOf(dimensions);
  const row = columns.rows.subarray(start, start + dimensions);
  columns.scales[ordinal] = quantizeVector(vector, row);
  const signStride = signStrideOf(dimensions);
  packSigns(row, columns.signs.subarray(ordinal * signStride, (ordinal + 1) * signStride));
}

function invert(ordered: readonly IndexableChunk[]): {
  terms: Map<string, PostingList>;
  lengths: Uint32Array;
} {
  const stem = createCachedStem({ maxEntries: CACHED_STEMS });
  const terms = new Map<string, PostingList>();
  const lengths = Uint32Array.from(ordered, ({ indexedText }, ordinal) => {
    const indexed = indexedTerms(indexedText, stem);
    for (const term of indexed.terms) addPosting(terms, term, ordinal);
    return indexed.length;
  });
  return { terms, lengths };
}

function addPosting(terms: Map<string, PostingList>, term: string, ordinal: number): void {
  const list = terms.get(term);
  if (list === undefined) {
    terms.set(term, { ordinals: [ordinal], frequencies: [1] });
  } else if (list.ordinals.at(-1) === ordinal) {
    list.frequencies.push((list.frequencies.pop() ?? 0) + 1);
  } else {
    list.ordinals.push(ordinal);
    list.frequencies.push(1);
  }
}

function invertMetadata(documents: readonly DocumentToWrite[]): Map<string, PostingList> {
  const terms = new Map<string, PostingList>();
  for (const [place, document] of documents.entries()) {
    for (const term of document.metadataTerms) addPosting(terms, term, place);
  }
  return terms;
}

function encode(terms: ReadonlyMap<string, PostingList>, ordinalCount: number): EncodedDictionary {
  const encoder = new TextEncoder();
  const sorted = [...terms]
    .map(([term, list]) => ({ bytes: encoder.encode(term), list }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes));
  const writer = createDictionaryWriter();
  const buffer = createPostingBuffer(ordinalCount);
  for (const { bytes, list } of sorted) {
    buffer.ordinals.set(list.ordinals);
    buffer.frequencies.set(list.frequencies);
    writer.add({ bytes, length: bytes.length }, buffer, list.ordinals.length);
  }
  return writer.finish();
}
