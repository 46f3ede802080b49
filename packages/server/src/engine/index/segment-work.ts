/** The computations of index maintenance, separated from where they run, because one can take a second. */
import { buildSegment, type IndexableChunk } from "./build.ts";
import { DamagedSegmentError } from "./format.ts";
import { mergeSegments } from "./merge.ts";
import { type ReadableVersions, toCurrentVersion } from "./readable-versions.ts";
import { openSegment, type Segment } from "./segment.ts";

export interface StoredSegment {
  readonly bytes: Uint8Array;
  /** The chunk count in the store's row. A segment with a different count is not the one that was stored. */
  readonly chunkCount: number;
}

export interface StoredMergeInput extends StoredSegment {
  /** Versions to omit because they are permanently hidden. */
  readonly deadVersions: readonly number[];
}

export type SegmentWorkRequest =
  | { readonly kind: "merge"; readonly inputs: readonly StoredMergeInput[] }
  | { readonly kind: "build"; readonly chunks: readonly IndexableChunk[] }
  | { readonly kind: "positions"; readonly segment: StoredSegment; readonly versionIds: readonly number[] };

/** The resulting segment; `bytes` is null if it would be empty. */
export interface MadeSegment {
  readonly kind: "made";
  readonly bytes: Uint8Array | null;
  readonly chunkCount: number;
}

/** The index of the input that cannot be read, and the reason. */
export interface DamagedInput {
  readonly kind: "damaged";
  readonly input: number;
  readonly fault: string;
}

/** For each requested version that the segment holds: the positions of its chunks, ascending. */
export interface HeldPositions {
  readonly kind: "positions";
  readonly positions: ReadonlyMap<number, Uint32Array>;
}

export type SegmentWorkResult = MadeSegment | DamagedInput | HeldPositions;

/**
 * Performs the computations, possibly in another thread. The caller transfers ownership of the bytes and
 * vectors that it passes. Each method rejects if the thread dies before it has replied.
 */
export interface SegmentWork {
  /** As `mergeSegments`. */
  merge(inputs: readonly StoredMergeInput[]): Promise<MadeSegment | DamagedInput>;
  /** As `buildSegment`. */
  build(chunks: readonly IndexableChunk[]): Promise<MadeSegment>;
  /** Reads the entire segment, so that damage anywhere in it is found. */
  positions(segment: StoredSegment, versionIds: readonly number[]): Promise<HeldPositions | DamagedInput>;
}

/**
 * Handles every kind of request synchronously in the calling thread. `versions`: the readable format versions of
 * stored segments; default: those of this release.
 */
export function doSegmentWork(request: SegmentWorkRequest, versions?: ReadableVersions): SegmentWorkResult {
  if (request.kind === "build") {
    if (request.chunks.length === 0) return { kind: "made", bytes: null, chunkCount: 0 };
    return { kind: "made", bytes: buildSegment(request.chunks), chunkCount: request.chunks.length };
  }
  if (request.kind === "merge") return merge(request.inputs, versions);
  const opened = tryOpen({ stored: request.segment, input: 0, versions });
  if ("fault" in opened) return opened;
  return { kind: "positions", positions: positionsIn(opened.segment, request.versionIds) };
}

/** Sends each request through `answer`. */
export function createSegmentWork(
  answer: (request: SegmentWorkRequest) => Promise<SegmentWorkResult>,
): SegmentWork {
  // The result kind is determined by the request kind; `doSegmentWork` returns no other.
  return {
    merge: async (inputs) => (await answer({ kind: "merge", inputs })) as MadeSegment | DamagedInput,
    build: async (chunks) => (await answer({ kind: "build", chunks })) as MadeSegment,
    positions: async (segment, versionIds) =>
      (await answer({ kind: "positions", segment, versionIds })) as HeldPositions | DamagedInput,
  };
}

function merge(
  inputs: readonly StoredMergeInput[],
  versions: ReadableVersions | undefined,
): MadeSegment | DamagedInput {
  const opened: { segment: Segment; deadVersions: ReadonlySet<number> }[] = [];
  for (const [input, stored] of inputs.entries()) {
    const result = tryOpen({ stored, input, versions });
    if ("fault" in result) return result;
    opened.push({ segment: result.segment, deadVersions: new Set(stored.deadVersions) });
  }
  try {
    const bytes = mergeSegments(opened);
    return { kind: "made", bytes, chunkCount: bytes === null ? 0 : openSegment(bytes).chunkCount };
  } catch (error) {
    // Dictionaries and postings are read only during the merge. Merging each input alone finds the damaged
    // one.
    if (!(error instanceof DamagedSegmentError)) throw error;
    return { kind: "damaged", input: firstUnmergeable(opened), fault: error.message };
  }
}

function firstUnmergeable(
  inputs: readonly { segment: Segment; deadVersions: ReadonlySet<number> }[],
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

function tryOpen({
  stored,
  input,
  versions,
}: {
  readonly stored: StoredSegment;
  readonly input: number;
  readonly versions: ReadableVersions | undefined;
}): { readonly segment: Segment } | DamagedInput {
  try {
    const segment = openSegment(toCurrentVersion(stored.bytes, versions));
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
