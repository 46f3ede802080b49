/** The loops of a search over segments in shared memory, in WebAssembly SIMD. */
import { type DenseKernels, denseKernels } from "./dense-kernels.ts";
import { type FusedKernel, fusedKernel } from "./fused-kernel.ts";
import { openKernelContext } from "./kernel-context.ts";
import { type LexicalKernels, lexicalKernels } from "./lexical-kernels.ts";
import { SCRATCH_SIZE } from "./scratch.ts";
import type { SharedMemory } from "./web-assembly.ts";

/** Bytes that the kernels of one thread need for themselves; a multiple of 64. */
export const SCRATCH_BYTES: number = SCRATCH_SIZE;

/**
 * Of one thread. Every result is that of the plain loop, to the last bit. All throw a RangeError if the segment or a
 * mask is not of the size that it says, or the segment is not in the shared memory.
 */
export interface SearchKernels extends DenseKernels, LexicalKernels, FusedKernel {}

/**
 * The kernels of one thread. `scratch`: the address, a multiple of 64, of SCRATCH_BYTES that are its own. Throws an
 * Error if the runtime lacks SIMD or the memory is not shared.
 */
export function openSearchKernels(options: {
  readonly memory: SharedMemory;
  readonly scratch: number;
}): SearchKernels {
  const context = openKernelContext(options);
  return { ...denseKernels(context), ...lexicalKernels(context), fused: fusedKernel(context) };
}
