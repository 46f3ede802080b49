/** The inner loops of a search over segments in shared memory, in WebAssembly SIMD. */
import { type DenseKernels, denseKernels } from "./dense-kernels.ts";
import { type FusedKernel, fusedKernel } from "./fused-kernel.ts";
import { openKernelContext } from "./kernel-context.ts";
import { type LexicalKernels, lexicalKernels } from "./lexical-kernels.ts";
import { SCRATCH_SIZE } from "./scratch.ts";
import type { SharedMemory } from "./web-assembly.ts";

/** The size of one thread's scratch area; a multiple of 64. */
export const SCRATCH_BYTES: number = SCRATCH_SIZE;

/**
 * The kernels of one thread. Every result is bit-identical to that of a plain loop. All methods throw a
 * RangeError if an array or mask does not have the expected length or is not in the shared memory.
 */
export interface SearchKernels extends DenseKernels, LexicalKernels, FusedKernel {}

/**
 * Opens the kernels of one thread. `scratch` is the address, a multiple of 64, of SCRATCH_BYTES bytes for the
 * exclusive use of these kernels. Throws an Error if the runtime lacks SIMD or the memory is not shared.
 */
export function openSearchKernels(options: {
  readonly memory: SharedMemory;
  readonly scratch: number;
}): SearchKernels {
  const context = openKernelContext(options);
  return { ...denseKernels(context), ...lexicalKernels(context), fused: fusedKernel(context) };
}
