/** Memory that all query threads share: the segments and, for each thread, a place for what it computes. */
import { CONTROL_WORDS, formatControl, UNIT_BYTES } from "./directory-layout.ts";
import { type SharedMemory, WASM_MAX_PAGES, WASM_PAGE_BYTES, webAssembly } from "./kernels/web-assembly.ts";

/** Can be handed to other threads as it is. */
export interface SharedIndexMemory {
  /** The kernels' constants, a scratch area for each thread, the segments. */
  readonly memory: SharedMemory;
  /** Which segment lies where; see `directory-layout.ts`. */
  readonly control: SharedArrayBuffer;
  readonly threads: number;
  /** Of one thread; a multiple of 64. */
  readonly scratchBytes: number;
}

/** Compiled modules keep their constants at the low end. */
const CONSTANT_BYTES = WASM_PAGE_BYTES;

/**
 * Room for `cacheBytes` of segments and for `scratchBytes` in each of `threads` threads, at most 4 GiB together.
 * All of it is reserved at once, but the system gives a page only when it is first written to.
 * Throws a RangeError where there is no such room.
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
    throw new RangeError(`the search index can share 4 GiB of memory, not ${pages * WASM_PAGE_BYTES} bytes`);
  }
  const memory = new webAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const control = new SharedArrayBuffer(CONTROL_WORDS * Int32Array.BYTES_PER_ELEMENT);
  formatControl(new Int32Array(control), { at: segmentsAt, byteLength: options.cacheBytes });
  return { memory, control, threads, scratchBytes };
}

/** Where the scratch area of a thread, 0…threads − 1, begins; a multiple of 64. */
export function scratchAddress(shared: SharedIndexMemory, thread: number): number {
  requireThread(shared, thread);
  return CONSTANT_BYTES + thread * shared.scratchBytes;
}

export function requireThread(shared: SharedIndexMemory, thread: number): void {
  if (Number.isInteger(thread) && thread >= 0 && thread < shared.threads) return;
  throw new RangeError(`shared memory for ${shared.threads} threads has no place for thread ${thread}`);
}
