import { type ChunkColumns, DamagedSegmentError } from "./format.ts";
import { type DictionaryInput, DROPPED, mergeDictionaries } from "./merge-dictionaries.ts";
import type { Segment } from "./segment.ts";
import { compareDocuments, requireRoom, type WrittenDocument, writeSegment } from "./write-segment.ts";

export interface MergeInput {
  readonly segment: Segment;
  /** Versions that nothing will ever show again. A version that is only hidden for now must not be here. */
  readonly hiddenForGood: ReadonlySet<number>;
}

/** A document of one input that survives. */
interface Part {
  readonly segment: Segment;
  /** Which of the inputs, and which of its documents. */
  readonly input: number;
  readonly place: number;
  readonly versionId: number;
  readonly sourceDocId: string;
}

/** Chunks that stand together in an input, from ordinal `from` up to `to`, and in the merge, from ordinal `at`. */
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
  /** For each input, the new place of each of its documents, or DROPPED. */
  readonly newPlaces: readonly Uint32Array[];
  /** By new place: how many inputs hold chunks of the document. */
  readonly holders: Uint32Array;
}

/**
 * Makes one segment of several, without the versions that are hidden for good, or null if nothing is left. The
 * bytes are those that `buildSegment` makes of the surviving chunks, whatever the order of the inputs: int8
 * vectors and scales are copied, not computed anew. Time is that of copying rows and coding postings once, plus
 * a comparison of terms per input. Throws a RangeError if more than MAX_SEGMENT_CHUNKS survive, if a chunk is in two
 * inputs, if inputs give a version two documents or two kinds of metadata, or if their vectors differ in length;
 * a DamagedSegmentError if an input turns out not to be in order.
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
  // Each input is in order already: the sort finds these runs and only merges them.
  const parts = inputs.flatMap(survivingParts).sort(compareDocuments);
  const dimensions = parts[0]?.segment.dimensions;
  if (dimensions === undefined) return null;
  const documents: WrittenDocument[] = [];
  const runs: Run[] = [];
  const newPlaces = inputs.map(({ segment }) => new Uint32Array(segment.documentCount).fill(DROPPED));
  const holders = new Uint32Array(parts.length);
  let chunkCount = 0;
  for (let first = 0, end = 0; first < parts.length; first = end) {
    end = behindDocument(parts, first);
    const group = parts.slice(first, end);
    const { versionId, sourceDocId } = parts[first] as Part;
    for (const { segment, input, place } of group) {
      if (segment.dimensions !== dimensions) {
        throw new RangeError("segments of different vectors cannot be merged");
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

function survivingParts({ segment, hiddenForGood }: MergeInput, input: number): Part[] {
  const parts: Part[] = [];
  for (let place = 0; place < segment.documentCount; place++) {
    const versionId = segment.versionIdAt(place);
    if (hiddenForGood.has(versionId)) continue;
    const part = { segment, input, place, versionId, sourceDocId: segment.sourceDocIdAt(place) };
    const previous = parts.at(-1);
    if (previous !== undefined && compareDocuments(previous, part) >= 0) {
      throw new DamagedSegmentError("its documents are not in order");
    }
    parts.push(part);
  }
  return parts;
}

/** The index behind the parts of the document that starts at `first`. */
function behindDocument(parts: readonly Part[], first: number): number {
  const wanted = parts[first];
  let end = first + 1;
  for (let part = parts[end]; part !== undefined && wanted !== undefined; part = parts[++end]) {
    if (part.versionId !== wanted.versionId || part.sourceDocId !== wanted.sourceDocId) break;
  }
  return end;
}

/** Adds the chunks of one document, which stand at ordinal `at` and behind, and returns the ordinal behind them. */
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

/** Adds a run to the last one if it goes on where that ends, so that what stands together is copied at once. */
function addRun(run: Run, runs: Run[]): number {
  const last = runs.at(-1);
  if (last !== undefined && last.input === run.input && last.to === run.from) {
    runs[runs.length - 1] = { ...last, to: run.to };
  } else {
    runs.push(run);
  }
  return run.at + run.to - run.from;
}
