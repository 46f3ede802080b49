/** The kernels that read postings and sum the term weights of each chunk. */
import {
  damaged,
  type KernelContext,
  type KernelSegment,
  type KernelTerm,
  type Mask,
  type Offers,
  requireChunkCount,
  requireSums,
} from "./kernel-context.ts";
import { BLOCK_CHUNKS } from "./scratch.ts";

export interface LexicalKernels {
  /**
   * The number of postings of visible chunks. Throws a DamagedSegmentError if the postings are inconsistent
   * with the segment.
   */
  countVisible(segment: KernelSegment, term: KernelTerm, visible: Mask): number;
  /**
   * Computes the BM25 sums of a segment's chunks, replacing the previous sums: each term in turn adds weight
   * · tf / (tf + base + perToken · length), in f64 and in this order. Throws a DamagedSegmentError if
   * postings are inconsistent with the segment; then there are no sums.
   */
  accumulate(
    segment: KernelSegment,
    terms: readonly { readonly term: KernelTerm; readonly weight: number }[],
    saturation: { readonly base: number; readonly perToken: number },
  ): void;
  /** The sum of a chunk, from the last `accumulate`. */
  sumOf(ordinal: number): number;
  /** Offers the allowed chunks of the last `accumulate` whose sums are above 0. */
  best(chunkCount: number, allowed: Mask, offers: Offers): void;
}

export function lexicalKernels(kernels: KernelContext): LexicalKernels {
  const { module, scratch, copyMask } = kernels;
  const { at } = scratch;
  const { state } = kernels;

  function requireTerm({ chunkCount, postings, lengths }: KernelSegment, term: KernelTerm): void {
    requireChunkCount(chunkCount);
    kernels.requireView(postings, postings.length);
    kernels.requireView(lengths, chunkCount);
    const { start, end } = term;
    if (!(start >= 0 && start <= end && end <= postings.length && term.chunkCount <= chunkCount))
      throw damaged();
  }

  return {
    countVisible(segment, term, visible) {
      requireTerm(segment, term);
      const { start, end } = term;
      const mask = copyMask(visible, segment.chunkCount);
      const from = segment.postings.byteOffset;
      const count = module.countAllowed(
        from + start,
        from + end,
        term.chunkCount,
        segment.chunkCount,
        mask,
        at.ordinals,
        at.frequencies,
      );
      if (count < 0) throw damaged();
      return count;
    },
    accumulate(segment, terms, { base, perToken }) {
      const { chunkCount, postings, lengths } = segment;
      requireChunkCount(chunkCount);
      module.clearSums(at.sums, chunkCount);
      state.summedCount = 0;
      for (const { term, weight } of terms) {
        requireTerm(segment, term);
        const start = postings.byteOffset + term.start;
        const end = postings.byteOffset + term.end;
        const isIntact = module.addTerm(
          start,
          end,
          term.chunkCount,
          chunkCount,
          lengths.byteOffset,
          weight,
          base,
          perToken,
          at.sums,
          at.ordinals,
          at.frequencies,
        );
        if (isIntact === 0) throw damaged();
      }
      state.summedCount = chunkCount;
    },
    sumOf(ordinal) {
      if (!(ordinal >= 0 && ordinal < state.summedCount)) throw new RangeError(`chunk ${ordinal} has no sum`);
      return scratch.sums[ordinal] ?? 0;
    },
    best(chunkCount, allowed, { floor, offer }) {
      requireSums(kernels, chunkCount);
      const mask = copyMask(allowed, chunkCount);
      // A sum is above 0 if it reaches the smallest positive number.
      let reached = Math.max(floor, Number.MIN_VALUE);
      for (let first = 0; first < chunkCount; first += BLOCK_CHUNKS) {
        const end = Math.min(first + BLOCK_CHUNKS, chunkCount);
        const count = module.listSums(at.sums, mask, first, end, reached, at.hits, at.values);
        for (let hit = 0; hit < count; hit++) {
          const sum = scratch.hitSums[hit] ?? 0;
          if (sum >= reached) reached = Math.max(offer(scratch.hits[hit] ?? 0, sum), Number.MIN_VALUE);
        }
      }
    },
  };
}
