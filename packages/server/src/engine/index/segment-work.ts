/** The computing that keeps an index in order, apart from where it is carried out: it can take a second at a time. */
import { buildSegment, type IndexableChunk } from "./build.ts";
import { DamagedSegmentError } from "./format.ts";
import { mergeSegments } from "./merge.ts";
import { openSegment, type Segment } from "./segment.ts";

export interface StoredSegment {
  readonly bytes: Uint8Array;
  /** As the store has it: a segment that holds another number of chunks is not the one that was put there. */
  readonly chunkCount: number;
}

export interface StoredMergeInput extends StoredSegment {
  /** Versions to leave out: nothing will ever show them again. */
  readonly hiddenForGood: readonly number[];
}

export type SegmentWorkRequest =
  | { readonly kind: "merge"; readonly inputs: readonly StoredMergeInput[] }
  | { readonly kind: "build"; readonly chunks: readonly IndexableChunk[] }
  | { readonly kind: "positions"; readonly segment: StoredSegment; readonly versionIds: readonly number[] };

/** A segment that was made; `bytes` is null where nothing is in it. */
export interface MadeSegment {
  readonly kind: "made";
  readonly bytes: Uint8Array | null;
  readonly chunkCount: number;
}

/** Which of the inputs cannot be read, and why. */
export interface DamagedInput {
  readonly kind: "damaged";
  readonly input: number;
  readonly fault: string;
}

/** For each version asked for that the segment holds: the positions of its chunks, ascending. */
export interface HeldPositions {
  readonly kind: "positions";
  readonly positions: ReadonlyMap<number, Uint32Array>;
}

export type SegmentWorkResult = MadeSegment | DamagedInput | HeldPositions;

/**
 * Where the computing is done; bytes and vectors that are handed over belong to it from then on. Each method rejects
 * when that place is lost before it has answered.
 */
export interface SegmentWork {
  /** As `mergeSegments`. */
  merge(inputs: readonly StoredMergeInput[]): Promise<MadeSegment | DamagedInput>;
  /** As `buildSegment`. */
  build(chunks: readonly IndexableChunk[]): Promise<MadeSegment>;
  /** Reads all of a segment, so that damage anywhere is found. */
  positions(segment: StoredSegment, versionIds: readonly number[]): Promise<HeldPositions | DamagedInput>;
}

/** Answers every kind of request, here and now. */
export function doSegmentWork(request: SegmentWorkRequest): SegmentWorkResult {
  if (request.kind === "build") {
    if (request.chunks.length === 0) return { kind: "made", bytes: null, chunkCount: 0 };
    return { kind: "made", bytes: buildSegment(request.chunks), chunkCount: request.chunks.length };
  }
  if (request.kind === "merge") return merge(request.inputs);
  const opened = openOrTell(request.segment, 0);
  if ("fault" in opened) return opened;
  return { kind: "positions", positions: positionsIn(opened.segment, request.versionIds) };
}

/** Carries the requests to wherever `answer` answers them. */
export function createSegmentWork(
  answer: (request: SegmentWorkRequest) => Promise<SegmentWorkResult>,
): SegmentWork {
  // Each kind of request has its own kinds of answer; `doSegmentWork` gives no other.
  return {
    merge: async (inputs) => (await answer({ kind: "merge", inputs })) as MadeSegment | DamagedInput,
    build: async (chunks) => (await answer({ kind: "build", chunks })) as MadeSegment,
    positions: async (segment, versionIds) =>
      (await answer({ kind: "positions", segment, versionIds })) as HeldPositions | DamagedInput,
  };
}

function merge(inputs: readonly StoredMergeInput[]): MadeSegment | DamagedInput {
  const opened: { segment: Segment; hiddenForGood: ReadonlySet<number> }[] = [];
  for (const [place, input] of inputs.entries()) {
    const one = openOrTell(input, place);
    if ("fault" in one) return one;
    opened.push({ segment: one.segment, hiddenForGood: new Set(input.hiddenForGood) });
  }
  try {
    const bytes = mergeSegments(opened);
    return { kind: "made", bytes, chunkCount: bytes === null ? 0 : openSegment(bytes).chunkCount };
  } catch (error) {
    // Dictionaries and postings are looked at only now. Which of the inputs it was is found by merging each alone.
    if (!(error instanceof DamagedSegmentError)) throw error;
    return { kind: "damaged", input: firstUnmergeable(opened), fault: error.message };
  }
}

function firstUnmergeable(
  inputs: readonly { segment: Segment; hiddenForGood: ReadonlySet<number> }[],
): number {
  const at = inputs.findIndex((input) => {
    try {
      mergeSegments([input]);
      return false;
    } catch {
      return true;
    }
  });
  return Math.max(0, at);
}

function openOrTell(stored: StoredSegment, input: number): { readonly segment: Segment } | DamagedInput {
  try {
    const segment = openSegment(stored.bytes);
    if (segment.chunkCount === stored.chunkCount) return { segment };
    const fault = `it holds ${segment.chunkCount} chunks and not ${stored.chunkCount}`;
    return { kind: "damaged", input, fault };
  } catch (error) {
    if (!(error instanceof DamagedSegmentError)) throw error;
    return { kind: "damaged", input, fault: error.message };
  }
}

function positionsIn(segment: Segment, versionIds: readonly number[]): Map<number, Uint32Array> {
  const positions = new Map<number, Uint32Array>();
  for (const versionId of versionIds) {
    const place = segment.findDocument(versionId);
    if (place < 0) continue;
    positions.set(
      versionId,
      segment.positions.slice(segment.firstOrdinalAt(place), segment.firstOrdinalAt(place + 1)),
    );
  }
  return positions;
}
