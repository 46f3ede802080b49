/** Memory that all query threads share: the segments, and a scratch area for each thread's computations. */
import { CONTROL_WORDS, formatControl, UNIT_BYTES } from "./directory-layout.ts";
import { type SharedMemory, WASM_MAX_PAGES, WASM_PAGE_BYTES, webAssembly } from "./kernels/web-assembly.ts";

/** Can be posted to other threads as it is. */
export interface SharedIndexMemory {
  /** Layout: the kernels' constants, one scratch area per thread, the segments. */
  readonly memory: SharedMemory;
  /** The directory of the segments; see `directory-layout.ts`. */
  readonly control: SharedArrayBuffer;
  readonly threads: number;
  /** Size of one thread's scratch area; a multiple of 64. */
  readonly scratchBytes: number;
}

/** Compiled modules keep their constants at the start of the memory. */
const CONSTANT_BYTES = WASM_PAGE_BYTES;

/**
 * Reserves `cacheBytes` for segments and `scratchBytes` for each of `threads` threads, at most 4 GiB in
 * total. All of it is reserved at once, but the operating system allocates a page only when it is first
 * written. Throws a RangeError if the total exceeds the limit.
 */
export function createSharedIndexMemory(options: {
  readonly cacheBytes: number;
  readonly threads: number;
  readonly scratchBytes: number;
}): SharedIndexMemory {
  const { threads } = options;
  const scratchBytes = Math.ceil(options.scratchBytes / UNIT_BYTES) * UNIT_BYTES;
  const segmentsAt = CONSTANT_BYTES + threads * scratchBytes;
  const pages = Math.ceil((segmentsAt + options.cacheBytes) / WASM_PAGE_BYTES);
  if (pages > WASM_MAX_PAGES) {
    throw new RangeError(
      `search index memory is limited to 4 GiB, but needs ${pages * WASM_PAGE_BYTES} bytes`,
    );
  }
  const memory = new webAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const control = new SharedArrayBuffer(CONTROL_WORDS * Int32Array.BYTES_PER_ELEMENT);
  formatControl(new Int32Array(control), { at: segmentsAt, byteLength: options.cacheBytes });
  return { memory, control, threads, scratchBytes };
}

/** The start of the scratch area of a thread, 0…threads − 1; a multiple of 64. */
export function scratchAddress(shared: SharedIndexMemory, thread: number): number {
  requireThread(shared, thread);
  return CONSTANT_BYTES + thread * shared.scratchBytes;
}

export function requireThread(shared: SharedIndexMemory, thread: number): void {
  if (Number.isInteger(thread) && thread >= 0 && thread < shared.threads) return;
  throw new RangeError(
    `shared memory is laid out for ${shared.threads} threads, there is no thread ${thread}`,
  );
}
