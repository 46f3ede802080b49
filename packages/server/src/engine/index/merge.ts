import type { PostingBuffer, PostingList } from "./postings.ts";
import type { Segment } from "./segment.ts";
import { documentsOf, inSegmentOrder, type OrderedChunk, writeSegment } from "./write-segment.ts";

export interface MergeInput {
  readonly segment: Segment;
  /** Versions that nothing will ever show again. A version that is only hidden for now must not be here. */
  readonly hiddenForGood: ReadonlySet<number>;
}

interface Survivor extends OrderedChunk {
  readonly segment: Segment;
  /** Which of the inputs, and which of its chunks. */
  readonly input: number;
  readonly ordinal: number;
}

/** The new ordinal of each chunk of one input; {@link DROPPED} where it does not survive. */
type Renumbering = Uint32Array;
const DROPPED = 0xffff_ffff;

/**
 * Makes one segment of several, without the versions that are hidden for good, or null if nothing is left. The
 * bytes are those that `buildSegment` makes of the surviving chunks, whatever the order of the inputs: int8
 * vectors and scales are copied, not computed anew. Throws a RangeError if a chunk is in two inputs or if the
 * inputs' vectors differ in length.
 */
export function mergeSegments(inputs: readonly MergeInput[]): Uint8Array | null {
  const survivors = inSegmentOrder(inputs.flatMap(survivorsOf));
  const [first] = survivors;
  if (first === undefined) return null;
  const { dimensions, stride } = first.segment;
  const rows = new Int8Array(stride * survivors.length);
  for (const [place, { segment, ordinal }] of survivors.entries()) {
    if (segment.dimensions !== dimensions)
      throw new RangeError("segments of different vectors cannot be merged");
    rows.set(segment.rows.subarray(ordinal * stride, (ordinal + 1) * stride), place * stride);
  }
  return writeSegment({
    dimensions,
    documents: documentsOf(survivors),
    positions: Uint32Array.from(survivors, ({ position }) => position),
    lengths: Uint32Array.from(survivors, ({ segment, ordinal }) => segment.lengths[ordinal] ?? 0),
    scales: Float32Array.from(survivors, ({ segment, ordinal }) => segment.scales[ordinal] ?? 0),
    rows,
    terms: mergeTerms(inputs, survivors),
  });
}

function survivorsOf({ segment, hiddenForGood }: MergeInput, input: number): Survivor[] {
  const survivors: Survivor[] = [];
  for (let place = 0; place < segment.documentCount; place++) {
    const versionId = segment.versionIdAt(place);
    if (hiddenForGood.has(versionId)) continue;
    const sourceDocId = segment.sourceDocIdAt(place);
    for (
      let ordinal = segment.firstOrdinalAt(place);
      ordinal < segment.firstOrdinalAt(place + 1);
      ordinal++
    ) {
      const position = segment.positions[ordinal] ?? 0;
      survivors.push({ versionId, sourceDocId, position, segment, input, ordinal });
    }
  }
  return survivors;
}

function mergeTerms(inputs: readonly MergeInput[], survivors: readonly Survivor[]): Map<string, PostingList> {
  const renumberings = inputs.map(({ segment }) => new Uint32Array(segment.chunkCount).fill(DROPPED));
  for (const [place, { input, ordinal }] of survivors.entries()) {
    const renumbering = renumberings[input];
    if (renumbering !== undefined) renumbering[ordinal] = place;
  }
  const terms = new Map<string, PostingList>();
  for (const [input, { segment }] of inputs.entries()) {
    const renumbering = renumberings[input];
    if (renumbering !== undefined) addTerms(segment, renumbering, terms);
  }
  for (const [term, list] of terms) if (!isAscending(list.ordinals)) terms.set(term, sorted(list));
  return terms;
}

function addTerms(segment: Segment, renumbering: Renumbering, terms: Map<string, PostingList>): void {
  const buffer: PostingBuffer = {
    ordinals: new Uint32Array(segment.chunkCount),
    frequencies: new Uint32Array(segment.chunkCount),
  };
  for (const entry of segment.terms()) {
    const count = entry.read(buffer, 0, null);
    let list = terms.get(entry.term);
    for (let index = 0; index < count; index++) {
      const ordinal = renumbering[buffer.ordinals[index] ?? 0] ?? DROPPED;
      if (ordinal === DROPPED) continue;
      // A term whose chunks were all dropped must not be in the dictionary.
      if (list === undefined) {
        list = { ordinals: [], frequencies: [] };
        terms.set(entry.term, list);
      }
      list.ordinals.push(ordinal);
      list.frequencies.push(buffer.frequencies[index] ?? 0);
    }
  }
}

function isAscending(ordinals: readonly number[]): boolean {
  return ordinals.every((ordinal, index) => index === 0 || ordinal > (ordinals[index - 1] ?? 0));
}

function sorted({ ordinals, frequencies }: PostingList): PostingList {
  const order = ordinals.keys().toArray();
  order.sort((one, other) => (ordinals[one] ?? 0) - (ordinals[other] ?? 0));
  return {
    ordinals: order.map((index) => ordinals[index] ?? 0),
    frequencies: order.map((index) => frequencies[index] ?? 0),
  };
}
