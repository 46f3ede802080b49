/** Where the chunks of a version are in its text, in four numbers each: a long document has tens of thousands. */
import type { Chunk, ChunkKey, VersionId } from "./document.ts";

export interface ChunkSpans {
  readonly versionId: VersionId;
  readonly count: number;
  /** For each chunk, by position: position, start, end, page; 0 = no page. */
  readonly numbers: Int32Array<ArrayBuffer>;
}

export interface ChunkSpan extends ChunkKey, Pick<Chunk, "start" | "end"> {
  /** From 1. */
  readonly page: number | null;
}

const NUMBERS = 4;

export const NO_SPANS: ChunkSpans = { versionId: 0, count: 0, numbers: new Int32Array(0) };

/** All are of one version. */
export function packSpans(versionId: VersionId, spans: readonly Omit<ChunkSpan, "versionId">[]): ChunkSpans {
  const numbers = new Int32Array(NUMBERS * spans.length);
  spans.forEach(({ position, start, end, page }, at) => {
    numbers.set([position, start, end, page ?? 0], NUMBERS * at);
  });
  return { versionId, count: spans.length, numbers };
}

/** @throws RangeError where there is no such chunk */
export function spanAt({ versionId, count, numbers }: ChunkSpans, at: number): ChunkSpan {
  if (at < 0 || at >= count) throw new RangeError(`${at} is none of ${count} chunks`);
  const [position = 0, start = 0, end = 0, page = 0] = numbers.subarray(NUMBERS * at, NUMBERS * (at + 1));
  return { versionId, position, start, end, page: page === 0 ? null : page };
}

/** The first ones. */
export function listSpans(spans: ChunkSpans, limit = spans.count): readonly ChunkSpan[] {
  return Array.from({ length: Math.min(limit, spans.count) }, (_, at) => spanAt(spans, at));
}
