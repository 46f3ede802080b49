/** Cosine similarity over the visible chunks of all segments. */
import { quantizeVector } from "./quantize.ts";
import { createTopList } from "./top-list.ts";
import type { VisibleChunks } from "./visible-chunks.ts";

/**
 * The numbers of the chunks whose int8 vectors are nearest to the question's int8 vector, best first: candidates,
 * to be scored again by {@link cosine}. Every visible chunk is looked at. Throws a RangeError if the
 * question's vector is not of the segments' dimensions.
 */
export function nearestChunks(chunks: VisibleChunks, vector: Float32Array, limit: number): readonly number[] {
  const top = createTopList(limit, chunks.precedes);
  for (const { segment, base, visible } of chunks.views) {
    const { chunkCount, dimensions, scales } = segment;
    if (chunkCount === 0) continue;
    if (dimensions !== vector.length) {
      throw new RangeError(`the question has ${vector.length} dimensions, the index ${dimensions}`);
    }
    const query = new Int8Array(segment.stride);
    quantizeVector(vector, query);
    const dots = new Int32Array(chunkCount);
    segment.dots(query, dots);
    for (let ordinal = 0; ordinal < chunkCount; ordinal++) {
      // The question's own scale is left out: it is the same for all.
      if (visible === null || visible[ordinal] === 1) {
        top.offer(base + ordinal, (dots[ordinal] ?? 0) * (scales[ordinal] ?? 0));
      }
    }
  }
  return top.drain();
}

/** The cosine of the angle between two vectors, −1…1, summed in f64 in the order of components; 0 if one is zero. */
export function cosine(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) {
    throw new RangeError(`vectors of ${one.length} and ${other.length} dimensions cannot be compared`);
  }
  let dot = 0;
  let oneSquared = 0;
  let otherSquared = 0;
  for (let index = 0; index < one.length; index++) {
    const a = one[index] ?? 0;
    const b = other[index] ?? 0;
    dot += a * b;
    oneSquared += a * a;
    otherSquared += b * b;
  }
  if (oneSquared === 0 || otherSquared === 0) return 0;
  return Math.min(1, Math.max(-1, dot / Math.sqrt(oneSquared * otherSquared)));
}
