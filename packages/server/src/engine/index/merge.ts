import { type ChunkColumns, DamagedSegmentError } from "./format.ts";
import { type DictionaryInput, DROPPED, mergeDictionaries } from "./merge-dictionaries.ts";
import type { Segment } from "./segment.ts";
import { compareDocuments, requireRoom, type WrittenDocument, writeSegment } from "./write-segment.ts";

export interface MergeInput {
  readonly segment: Segment;
  /** Versions that are permanently hidden. A version that is hidden only temporarily must not be included. */
  readonly deadVersions: ReadonlySet<number>;
}

/** A surviving document of one input. */
interface Part {
  readonly segment: Segment;
  /** The index of the input, and the place of the document in it. */
  readonly input: number;
  readonly place: number;
  readonly versionId: number;
  readonly sourceDocId: string;
}

/**
 * A contiguous range of chunks: in an input from ordinal `from` up to `to`, in the merged segment from
 * ordinal `at`.
 */
interface Run {
  readonly segment: Segment;
  readonly input: number;
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

interface MergePlan {
  readonly dimensions: number;
  readonly chunkCount: number;
  readonly documents: readonly WrittenDocument[];
  /** Ascending by `at`, without gaps. */
  readonly runs: readonly Run[];
  /** For each input: the new place of each of its documents, or DROPPED. */
  readonly newPlaces: readonly Uint32Array[];
  /** By new place: the number of inputs that contain chunks of the document. */
  readonly holders: Uint32Array;
}

/**
 * Merges segments into one without their dead versions; null if nothing remains. The bytes equal those that
 * `buildSegment` produces for the surviving chunks, whatever the order of the inputs: int8 vectors and scales
 * are copied, not recomputed. The cost is that of copying the rows and coding the postings once, plus a
 * comparison of terms per input. Throws a RangeError if more than MAX_SEGMENT_CHUNKS chunks survive, if a
 * chunk is in two inputs, if inputs have different documents or metadata for a version, or if their vectors
 * differ in length; a DamagedSegmentError if an input is inconsistent.
 */
export function mergeSegments(inputs: readonly MergeInput[]): Uint8Array | null {
  const plan = planMerge(inputs);
  if (plan === null) return null;
  const { dimensions, chunkCount, documents, runs, newPlaces, holders } = plan;
  const newOrdinals = inputs.map(({ segment }) => new Uint32Array(segment.chunkCount).fill(DROPPED));
  for (const { input, from, to, at } of runs) {
    const renumbering = newOrdinals[input];
    for (let ordinal = from; renumbering !== undefined && ordinal < to; ordinal++) {
      renumbering[ordinal] = at + ordinal - from;
    }
  }
  const inputOf = (
    name: "termDictionary" | "metadataDictionary",
    renumberings: readonly Uint32Array[],
  ): DictionaryInput[] =>
    inputs.flatMap(({ segment }, input) => {
      const renumbering = renumberings[input];
      return renumbering === undefined ? [] : [{ dictionary: segment[name], renumbering }];
    });
  return writeSegment({
    dimensions,
    chunkCount,
    documents,
    terms: mergeDictionaries(inputOf("termDictionary", newOrdinals), null),
    metadata: mergeDictionaries(inputOf("metadataDictionary", newPlaces), holders),
    fill(columns) {
      for (const run of runs) copyRun(run, columns);
    },
  });
}

function copyRun({ segment, from, to, at }: Run, into: ChunkColumns): void {
  const { stride, signStride } = segment;
  into.positions.set(segment.positions.subarray(from, to), at);
  into.lengths.set(segment.lengths.subarray(from, to), at);
  into.scales.set(segment.scales.subarray(from, to), at);
  into.signs.set(segment.signs.subarray(from * signStride, to * signStride), at * signStride);
  into.rows.set(segment.rows.subarray(from * stride, to * stride), at * stride);
}

function planMerge(inputs: readonly MergeInput[]): MergePlan | null {
  // Each input is already sorted: the sort detects these runs and only merges them.
  const parts = inputs.flatMap(survivingParts).sort(compareDocuments);
  const dimensions = parts[0]?.segment.dimensions;
  if (dimensions === undefined) return null;
  const documents: WrittenDocument[] = [];
  const runs: Run[] = [];
  const newPlaces = inputs.map(({ segment }) => new Uint32Array(segment.documentCount).fill(DROPPED));
  const holders = new Uint32Array(parts.length);
  let chunkCount = 0;
  for (let first = 0, end = 0; first < parts.length; first = end) {
    end = endOfDocument(parts, first);
    const group = parts.slice(first, end);
    const { versionId, sourceDocId } = parts[first] as Part;
    for (const { segment, input, place } of group) {
      if (segment.dimensions !== dimensions) {
        throw new RangeError("segments with vectors of different dimensions cannot be merged");
      }
      const places = newPlaces[input];
      if (places !== undefined) places[place] = documents.length;
    }
    holders[documents.length] = group.length;
    documents.push({ versionId, sourceDocId, firstOrdinal: chunkCount });
    chunkCount = addRuns(group, chunkCount, runs);
    requireRoom(chunkCount);
  }
  return { dimensions, chunkCount, documents, runs, newPlaces, holders };
}

function survivingParts({ segment, deadVersions }: MergeInput, input: number): Part[] {
  const parts: Part[] = [];
  for (let place = 0; place < segment.documentCount; place++) {
    const versionId = segment.versionIdAt(place);
    if (deadVersions.has(versionId)) continue;
    const part = { segment, input, place, versionId, sourceDocId: segment.sourceDocIdAt(place) };
    const previous = parts.at(-1);
    if (previous !== undefined && compareDocuments(previous, part) >= 0) {
      throw new DamagedSegmentError("its documents are not sorted");
    }
    parts.push(part);
  }
  return parts;
}

/** The index after the last part of the document that starts at `first`. */
function endOfDocument(parts: readonly Part[], first: number): number {
  const document = parts[first];
  let end = first + 1;
  for (let part = parts[end]; part !== undefined && document !== undefined; part = parts[++end]) {
    if (part.versionId !== document.versionId || part.sourceDocId !== document.sourceDocId) break;
  }
  return end;
}

/** Adds the chunks of one document from ordinal `at` on, and returns the ordinal after them. */
function addRuns(group: readonly Part[], at: number, runs: Run[]): number {
  let end = at;
  const [only, ...others] = group;
  if (only !== undefined && others.length === 0) {
    const { segment, input, place } = only;
    return addRun(
      { segment, input, from: segment.firstOrdinalAt(place), to: segment.firstOrdinalAt(place + 1), at },
      runs,
    );
  }
  let previous = -1;
  for (const { position, ...chunk } of chunksOf(group)) {
    if (position === previous) {
      throw new RangeError(`chunk ${position} of version ${only?.versionId} is in two segments to merge`);
    }
    end = addRun({ ...chunk, at: end }, runs);
    previous = position;
  }
  return end;
}

function chunksOf(group: readonly Part[]): (Omit<Run, "at"> & { readonly position: number })[] {
  const chunks = group.flatMap(({ segment, input, place }) => {
    const first = segment.firstOrdinalAt(place);
    return Array.from({ length: segment.firstOrdinalAt(place + 1) - first }, (_, index) => {
      const from = first + index;
      return { segment, input, from, to: from + 1, position: segment.positions[from] ?? 0 };
    });
  });
  return chunks.sort((one, other) => one.position - other.position);
}

/** Extends the last run if the new one continues it, so that contiguous chunks are copied at once. */
function addRun(run: Run, runs: Run[]): number {
  const last = runs.at(-1);
  if (last !== undefined && last.input === run.input && last.to === run.from) {
    runs[runs.length - 1] = { ...last, to: run.to };
  } else {
    runs.push(run);
  }
  return run.at + run.to - run.from;
}
