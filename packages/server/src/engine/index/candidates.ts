/** Chunks of a search, numbered through all segments, and the order among equals. */
import { MAX_SEGMENT_CHUNKS } from "./format.ts";
import type { Segment } from "./segment.ts";

export interface ChunkIdentity {
  readonly versionId: number;
  readonly position: number;
  readonly sourceDocId: string;
}

/** By sourceDocId (code units), position, versionId. */
export function compareIdentities(one: ChunkIdentity, other: ChunkIdentity): number {
  if (one.sourceDocId !== other.sourceDocId) return one.sourceDocId < other.sourceDocId ? -1 : 1;
  return one.position - other.position || one.versionId - other.versionId;
}

/** A chunk's number within one search: from the place of its segment and its ordinal there. */
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
  /** The segment that is looked at now. */
  enter(segment: Segment, segmentPlace: number): void;
  /** Remembers who these are, as far as they are of the entered segment, where it will not stay. */
  keep(numbers: readonly number[]): void;
  of(number: number): ChunkIdentity;
  /** The order among equals. */
  precedes(one: number, other: number): boolean;
}

/**
 * `staysOpen`: all segments stay in memory until the search ends, so that whoever is asked for can be looked up;
 * otherwise only the entered segment's chunks and those that were kept are known.
 */
export function createIdentities({ staysOpen }: { readonly staysOpen: boolean }): Identities {
  const kept = new Map<number, ChunkIdentity>();
  const segments = new Map<number, Segment>();

  function of(number: number): ChunkIdentity {
    const known = kept.get(number);
    if (known !== undefined) return known;
    const segment = segments.get(segmentPlaceOf(number));
    if (segment === undefined) throw new RangeError(`chunk ${number} of the search was not kept`);
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
      // Within a segment the ordinals are in this order already.
      if (segmentPlaceOf(one) === segmentPlaceOf(other)) return one < other;
      return compareIdentities(of(one), of(other)) < 0;
    },
  };
}

/** Who a chunk of a segment is. */
export function identityIn(segment: Segment, ordinal: number): ChunkIdentity {
  const place = segment.documentOf(ordinal);
  return {
    versionId: segment.versionIdAt(place),
    sourceDocId: segment.sourceDocIdAt(place),
    position: segment.positions[ordinal] ?? 0,
  };
}
