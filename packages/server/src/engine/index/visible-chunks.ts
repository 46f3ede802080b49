/** The chunks of all segments that a search may see, numbered through: segment after segment, by ordinal. */
import type { Segment } from "./segment.ts";

export interface VisibleSegment {
  readonly segment: Segment;
  /** Versions that must not show: deleted, replaced, or not yet complete. Others' ids in it do no harm. */
  readonly hidden: ReadonlySet<number>;
}

export interface SegmentView {
  readonly segment: Segment;
  /** The number of its first chunk. */
  readonly base: number;
  /** By ordinal, 1 where the chunk is visible; null if all are. */
  readonly visible: Uint8Array | null;
}

export interface ChunkIdentity {
  readonly versionId: number;
  readonly position: number;
  readonly sourceDocId: string;
}

export interface VisibleChunks {
  readonly views: readonly SegmentView[];
  /** One more than the highest number; hidden chunks have numbers too. */
  readonly numberCount: number;
  /** Visible chunks, and index terms in them. */
  readonly chunkCount: number;
  readonly tokenCount: number;
  identityOf(number: number): ChunkIdentity;
  /** The order among equals: by sourceDocId (code units), position, versionId. */
  precedes(one: number, other: number): boolean;
}

export function visibleChunksOf(segments: readonly VisibleSegment[]): VisibleChunks {
  const views: SegmentView[] = [];
  let numberCount = 0;
  let chunkCount = 0;
  let tokenCount = 0;
  for (const { segment, hidden } of segments) {
    const { visible, hiddenChunks, hiddenTokens } = maskOf(segment, hidden);
    views.push({ segment, base: numberCount, visible });
    numberCount += segment.chunkCount;
    chunkCount += segment.chunkCount - hiddenChunks;
    tokenCount += segment.tokenCount - hiddenTokens;
  }
  const identityOf = (number: number) => identityIn(views, number);
  return {
    views,
    numberCount,
    chunkCount,
    tokenCount,
    identityOf,
    precedes: (one, other) => compareIdentities(identityOf(one), identityOf(other)) < 0,
  };
}

export function compareIdentities(one: ChunkIdentity, other: ChunkIdentity): number {
  if (one.sourceDocId !== other.sourceDocId) return one.sourceDocId < other.sourceDocId ? -1 : 1;
  return one.position - other.position || one.versionId - other.versionId;
}

function maskOf(
  segment: Segment,
  hidden: ReadonlySet<number>,
): { visible: Uint8Array | null; hiddenChunks: number; hiddenTokens: number } {
  let visible: Uint8Array | null = null;
  let hiddenChunks = 0;
  let hiddenTokens = 0;
  for (const place of hiddenPlaces(segment, hidden)) {
    const start = segment.firstOrdinalAt(place);
    const end = segment.firstOrdinalAt(place + 1);
    visible ??= new Uint8Array(segment.chunkCount).fill(1);
    visible.fill(0, start, end);
    hiddenChunks += end - start;
    for (let ordinal = start; ordinal < end; ordinal++) hiddenTokens += segment.lengths[ordinal] ?? 0;
  }
  return { visible, hiddenChunks, hiddenTokens };
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

function identityIn(views: readonly SegmentView[], number: number): ChunkIdentity {
  const view = views.findLast(({ base, segment }) => base <= number && number < base + segment.chunkCount);
  if (view === undefined) throw new RangeError(`there is no chunk ${number}`);
  const ordinal = number - view.base;
  const place = view.segment.documentOf(ordinal);
  return {
    versionId: view.segment.versionIdAt(place),
    sourceDocId: view.segment.sourceDocIdAt(place),
    position: view.segment.positions[ordinal] ?? 0,
  };
}
