/** Scans int8 rows in WebAssembly memory, where a copy of as many as there is room for is kept. */
import { assembleDotKernel, dotRows } from "./dot-kernel.ts";

/** The part of WebAssembly's interface that is used here; its types come with browsers' libraries only. */
declare const WebAssembly: {
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { readonly exports: Record<string, unknown> };
  Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
};

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

type DotKernel = (query: number, rows: number, count: number, stride: number, out: number) => void;

/** Int8 vectors one after the other, `stride` bytes each; named by the identity of the array. */
export interface Rows {
  readonly rows: Int8Array;
  readonly stride: number;
}

export interface DenseScanner {
  readonly arithmetic: "wasm-simd" | "typescript";
  /** Bytes of scanner memory that held rows take up. */
  readonly heldBytes: number;
  /** Keeps a copy of the rows at hand, if it is not there already. False if there is no room. */
  hold(rows: Rows): boolean;
  /** Frees the copy. Must not happen while somebody still means to scan these rows quickly. */
  release(rows: Rows): void;
  /**
   * Writes the integer dot product of each row with a query of `stride` int8 numbers to `out`. Rows that are not
   * held are copied through a window first: the result is the same, at a third of the speed.
   */
  dots(rows: Rows, query: Int8Array, out: Int32Array): void;
}

/** Where things lie in memory: the query, the results, the window, then the blocks. */
const PAGE_BYTES = 1 << 16;
const BLOCK_BYTES = 1 << 15;
const QUERY_AT = 0;
const RESULTS_AT = BLOCK_BYTES;
const RESULT_ROWS = BLOCK_BYTES / 4;
const WINDOW_AT = 2 * BLOCK_BYTES;
const BLOCKS_AT = 3 * BLOCK_BYTES;
const GROWTH_PAGES = 64;
const MAX_PAGES = 1 << 16;

/**
 * A scanner that takes at most `maxBytes` (at least 128 KiB, at most 4 GiB) of memory; memory once taken is used
 * again but only goes back to the system with the scanner. Rows lie in blocks of 32 KiB, so that freeing leaves no
 * holes that nothing fits in. Without WebAssembly SIMD it computes the same integers in TypeScript.
 */
export function createDenseScanner({ maxBytes }: { readonly maxBytes: number }): DenseScanner {
  const kernelBytes = assembleDotKernel();
  if (typeof WebAssembly === "undefined" || !WebAssembly.validate(kernelBytes)) return createPlainScanner();
  const maximum = Math.min(MAX_PAGES, Math.max(2, Math.floor(maxBytes / PAGE_BYTES)));
  const memory = new WebAssembly.Memory({ initial: 2, maximum });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(kernelBytes), { env: { memory } });
  // The module is our own; its one export has this type.
  const kernel = exports.dots as DotKernel;
  const blocks = createBlocks(memory, maximum);
  const held = new Map<Int8Array, readonly number[]>();
  return {
    arithmetic: "wasm-simd",
    get heldBytes() {
      return blocks.usedCount * BLOCK_BYTES;
    },
    hold({ rows, stride }) {
      if (held.has(rows)) return true;
      const perBlock = rowsPerBlock(stride) * stride;
      const places = blocks.take(perBlock === 0 ? 0 : Math.ceil(rows.length / perBlock));
      if (places === null) return false;
      for (const [index, place] of places.entries()) {
        copyIn(memory, place, rows.subarray(index * perBlock, (index + 1) * perBlock));
      }
      held.set(rows, places);
      return true;
    },
    release({ rows }) {
      blocks.giveBack(held.get(rows) ?? []);
      held.delete(rows);
    },
    dots: (rows, query, out) => scanBlocks({ memory, kernel, places: held.get(rows.rows), rows, query }, out),
  };
}

/** The scanner of a machine without WebAssembly SIMD. */
export function createPlainScanner(): DenseScanner {
  return {
    arithmetic: "typescript",
    heldBytes: 0,
    hold: () => false,
    release: () => {},
    dots: ({ rows, stride }, query, out) => dotRows({ rows, stride, query }, out),
  };
}

interface Blocks {
  readonly usedCount: number;
  /** The addresses of as many blocks, or null if there are not so many. */
  take(count: number): readonly number[] | null;
  giveBack(places: readonly number[]): void;
}

function createBlocks(memory: WasmMemory, maxPages: number): Blocks {
  const capacity = Math.floor((maxPages * PAGE_BYTES - BLOCKS_AT) / BLOCK_BYTES);
  const free: number[] = [];
  let takenCount = 0;
  return {
    get usedCount() {
      return takenCount - free.length;
    },
    take(count) {
      const fresh = Math.max(0, count - free.length);
      const end = BLOCKS_AT + (takenCount + fresh) * BLOCK_BYTES;
      if (takenCount + fresh > capacity || !growTo(end, memory, maxPages)) return null;
      const places = free.splice(free.length - (count - fresh));
      for (let index = 0; index < fresh; index++) places.push(BLOCKS_AT + takenCount++ * BLOCK_BYTES);
      return places;
    },
    giveBack(places) {
      for (const place of places) free.push(place);
    },
  };
}

function growTo(end: number, memory: WasmMemory, maxPages: number): boolean {
  const pages = memory.buffer.byteLength / PAGE_BYTES;
  const wanted = Math.ceil(end / PAGE_BYTES);
  if (wanted <= pages) return true;
  try {
    memory.grow(Math.min(maxPages, Math.max(wanted, pages + GROWTH_PAGES)) - pages);
    return true;
  } catch (error) {
    // The system has no more memory for us: scanning through the window still works.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function copyIn(memory: WasmMemory, address: number, bytes: Int8Array): void {
  new Int8Array(memory.buffer, address, bytes.length).set(bytes);
}

function rowsPerBlock(stride: number): number {
  return stride === 0 ? 0 : Math.min(RESULT_ROWS, Math.floor(BLOCK_BYTES / stride));
}

interface Scan {
  readonly memory: WasmMemory;
  readonly kernel: DotKernel;
  readonly places: readonly number[] | undefined;
  readonly rows: Rows;
  readonly query: Int8Array;
}

function scanBlocks({ memory, kernel, places, rows: { rows, stride }, query }: Scan, out: Int32Array): void {
  const perBlock = rowsPerBlock(stride);
  const count = perBlock === 0 ? 0 : rows.length / stride;
  new Int16Array(memory.buffer, QUERY_AT, stride).set(query.subarray(0, stride));
  const results = new Int32Array(memory.buffer, RESULTS_AT, RESULT_ROWS);
  let flushed = 0;
  for (let row = 0, block = 0; row < count; row += perBlock, block++) {
    const rowCount = Math.min(perBlock, count - row);
    if (row + rowCount - flushed > RESULT_ROWS) {
      out.set(results.subarray(0, row - flushed), flushed);
      flushed = row;
    }
    const place = places?.[block];
    if (place === undefined)
      copyIn(memory, WINDOW_AT, rows.subarray(row * stride, (row + rowCount) * stride));
    kernel(QUERY_AT, place ?? WINDOW_AT, rowCount, stride, RESULTS_AT + 4 * (row - flushed));
  }
  out.set(results.subarray(0, count - flushed), flushed);
}
