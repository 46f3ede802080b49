/** Numbers the chunks of a search across all segments and defines the order of ties. */
import { MAX_SEGMENT_CHUNKS } from "./format.ts";
import type { Segment } from "./segment.ts";

export interface ChunkIdentity {
  readonly versionId: number;
  readonly position: number;
  readonly sourceDocId: string;
}

/** Orders by sourceDocId (code units), position, versionId. */
export function compareIdentities(one: ChunkIdentity, other: ChunkIdentity): number {
  if (one.sourceDocId !== other.sourceDocId) return one.sourceDocId < other.sourceDocId ? -1 : 1;
  return one.position - other.position || one.versionId - other.versionId;
}

/** A chunk's number within one search, computed from the index of its segment and its ordinal there. */
export function numberOf(segmentPlace: number, ordinal: number): number {
  return segmentPlace * MAX_SEGMENT_CHUNKS + ordinal;
}

export function segmentPlaceOf(number: number): number {
  return Math.floor(number / MAX_SEGMENT_CHUNKS);
}

export function ordinalOf(number: number): number {
  return number % MAX_SEGMENT_CHUNKS;
}

export interface Identities {
  /** Sets the segment that is being searched. */
  enter(segment: Segment, segmentPlace: number): void;
  /**
   * Stores the identities of those chunks that belong to the current segment, unless all segments stay open.
   */
  keep(numbers: readonly number[]): void;
  of(number: number): ChunkIdentity;
  /** The order of chunks with equal scores. */
  precedes(one: number, other: number): boolean;
}

/**
 * With `staysOpen`, all segments stay in memory until the search ends, so any chunk of a visited segment can
 * be resolved; otherwise only chunks of the current segment and those passed to `keep` can.
 */
export function createIdentities({ staysOpen }: { readonly staysOpen: boolean }): Identities {
  const kept = new Map<number, ChunkIdentity>();
  const segments = new Map<number, Segment>();

  function of(number: number): ChunkIdentity {
    const known = kept.get(number);
    if (known !== undefined) return known;
    const segment = segments.get(segmentPlaceOf(number));
    if (segment === undefined)
      throw new RangeError(`the identity of chunk ${number} of the search was not kept`);
    return identityIn(segment, ordinalOf(number));
  }

  return {
    enter(segment, segmentPlace) {
      if (!staysOpen) segments.clear();
      segments.set(segmentPlace, segment);
    },
    keep(numbers) {
      if (staysOpen) return;
      for (const number of numbers) {
        if (segments.has(segmentPlaceOf(number)) && !kept.has(number)) kept.set(number, of(number));
      }
    },
    of,
    precedes(one, other) {
      // Within a segment, ordinals already have this order.
      if (segmentPlaceOf(one) === segmentPlaceOf(other)) return one < other;
      return compareIdentities(of(one), of(other)) < 0;
    },
  };
}

export function identityIn(segment: Segment, ordinal: number): ChunkIdentity {
  const place = segment.documentOf(ordinal);
  return {
    versionId: segment.versionIdAt(place),
    sourceDocId: segment.sourceDocIdAt(place),
    position: segment.positions[ordinal] ?? 0,
  };
}
