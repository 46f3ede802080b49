/** Selects the chunks of a segment that a search may return. */
import type { SearchFilter } from "../../domain/metadata.ts";
import type { Segment } from "./segment.ts";

/** One byte per chunk, by ordinal: 1 if the chunk is included. null includes all chunks. */
export type ChunkMask = Uint8Array | null;

export interface Visibility {
  readonly visible: ChunkMask;
  /** The number of visible chunks, and of the index terms in them. */
  readonly chunkCount: number;
  readonly tokenCount: number;
}

/**
 * `hidden` holds versions that are excluded from results (deleted, replaced or not yet complete). Ids that
 * the segment does not contain are ignored.
 */
export function visibilityOf(segment: Segment, hidden: ReadonlySet<number>): Visibility {
  let visible: ChunkMask = null;
  let { chunkCount, tokenCount } = segment;
  for (const place of hiddenPlaces(segment, hidden)) {
    const start = segment.firstOrdinalAt(place);
    const end = segment.firstOrdinalAt(place + 1);
    visible ??= new Uint8Array(segment.chunkCount).fill(1);
    visible.fill(0, start, end);
    chunkCount -= end - start;
    for (let ordinal = start; ordinal < end; ordinal++) tokenCount -= segment.lengths[ordinal] ?? 0;
  }
  return { visible, chunkCount, tokenCount };
}

/** The mask without the chunks of these versions. */
export function withoutVersions(segment: Segment, mask: ChunkMask, versions: ReadonlySet<number>): ChunkMask {
  let rest = mask;
  for (const place of hiddenPlaces(segment, versions)) {
    if (rest === mask) rest = mask?.slice() ?? new Uint8Array(segment.chunkCount).fill(1);
    rest?.fill(0, segment.firstOrdinalAt(place), segment.firstOrdinalAt(place + 1));
  }
  return rest;
}

/**
 * Iterates over the smaller of the two sets, the hidden versions or the segment's documents, and looks up
 * each in the other.
 */
function* hiddenPlaces(segment: Segment, hidden: ReadonlySet<number>): Generator<number> {
  if (hidden.size <= segment.documentCount) {
    for (const versionId of hidden) {
      const place = segment.findDocument(versionId);
      if (place >= 0) yield place;
    }
    return;
  }
  for (let place = 0; place < segment.documentCount; place++) {
    if (hidden.has(segment.versionIdAt(place))) yield place;
  }
}

/** The visible chunks whose document matches the filter; "none" if no document matches. */
export function allowedChunks(
  segment: Segment,
  visible: ChunkMask,
  filter: SearchFilter | null,
): ChunkMask | "none" {
  if (filter === null) return visible;
  const matches = matchingDocuments(filter, segment);
  const allowed = new Uint8Array(segment.chunkCount);
  let any = false;
  for (let place = 0; place < segment.documentCount; place++) {
    if (matches[place] !== 1) continue;
    allowed.fill(1, segment.firstOrdinalAt(place), segment.firstOrdinalAt(place + 1));
    any = true;
  }
  if (!any) return "none";
  if (visible !== null) {
    for (let ordinal = 0; ordinal < allowed.length; ordinal++)
      if (visible[ordinal] === 0) allowed[ordinal] = 0;
  }
  return allowed;
}

/** By document place: 1 for a document that matches all conditions. */
function matchingDocuments({ sourceDocIds, metadata }: SearchFilter, segment: Segment): Uint8Array {
  const matches = new Uint8Array(segment.documentCount).fill(sourceDocIds === null ? 1 : 0);
  for (const sourceDocId of sourceDocIds ?? []) {
    const { first, end } = segment.placesOf(sourceDocId);
    matches.fill(1, first, end);
  }
  for (const condition of metadata) {
    const marked = new Uint8Array(segment.documentCount);
    segment.markDocuments(condition, marked);
    for (let place = 0; place < matches.length; place++) if (marked[place] === 0) matches[place] = 0;
  }
  return matches;
}
