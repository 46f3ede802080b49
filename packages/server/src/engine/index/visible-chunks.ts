/** Which chunks of a segment a search may look at. */
import type { SearchFilter } from "../../domain/metadata.ts";
import type { Segment } from "./segment.ts";

/** By ordinal, 1 for yes; null = all of them. */
export type ChunkMask = Uint8Array | null;

export interface Visibility {
  readonly visible: ChunkMask;
  /** Visible chunks, and index terms in them. */
  readonly chunkCount: number;
  readonly tokenCount: number;
}

/** `hidden`: versions that must not show (deleted, replaced, not yet complete); ids of other segments do no harm. */
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

/** Looks up the fewer of the hidden versions and the segment's documents in the other. */
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

/** The visible chunks whose document meets the filter; "none" where no document does. */
export function allowedChunks(
  segment: Segment,
  visible: ChunkMask,
  filter: SearchFilter | null,
): ChunkMask | "none" {
  if (filter === null) return visible;
  const met = documentsThatMeet(filter, segment);
  const allowed = new Uint8Array(segment.chunkCount);
  let any = false;
  for (let place = 0; place < segment.documentCount; place++) {
    if (met[place] !== 1) continue;
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

/** By place, 1 for a document that meets all conditions. */
function documentsThatMeet({ sourceDocIds, metadata }: SearchFilter, segment: Segment): Uint8Array {
  const met = new Uint8Array(segment.documentCount).fill(sourceDocIds === null ? 1 : 0);
  for (const sourceDocId of sourceDocIds ?? []) {
    const { first, end } = segment.placesOf(sourceDocId);
    met.fill(1, first, end);
  }
  for (const condition of metadata) {
    const marked = new Uint8Array(segment.documentCount);
    segment.markDocuments(condition, marked);
    for (let place = 0; place < met.length; place++) if (marked[place] === 0) met[place] = 0;
  }
  return met;
}
