/** The compiled loops; their source in `packages/server/kernels/` documents each one. */
import { readFileSync } from "node:fs";
import { type SharedMemory, webAssembly } from "./web-assembly.ts";

/**
 * All arguments except floors, ceilings, factors and weights are addresses, counts, byte lengths or ordinals.
 */
export interface KernelModule {
  scanRows(...args: ScanArguments): number;
  scanFused(...args: FusedArguments): number;
  scoreListed(
    ...args: [
      rows: number,
      scales: number,
      ordinals: number,
      count: number,
      stride: number,
      query: number,
      scores: number,
    ]
  ): void;
  clearSums(sums: number, chunkCount: number): void;
  addTerm(...args: AddArguments): number;
  countAllowed(...args: CountArguments): number;
  listSums(
    ...args: [
      sums: number,
      mask: number,
      first: number,
      end: number,
      floor: number,
      hits: number,
      values: number,
    ]
  ): number;
  scanSigns(...args: SignArguments): number;
}

type RowArguments = [
  rows: number,
  scales: number,
  mask: number,
  first: number,
  end: number,
  stride: number,
  query: number,
];
type ScanArguments = [...rows: RowArguments, floor: number, hits: number, values: number];
type FusedArguments = [
  ...rows: RowArguments,
  sums: number,
  lexical: number,
  dense: number,
  floor: number,
  hits: number,
  scores: number,
  values: number,
];
type ListArguments = [start: number, end: number, count: number, chunkCount: number];
type AddArguments = [
  ...list: ListArguments,
  lengths: number,
  weight: number,
  base: number,
  perToken: number,
  sums: number,
  ordinals: number,
  frequencies: number,
];
type CountArguments = [...list: ListArguments, mask: number, ordinals: number, frequencies: number];
type SignArguments = [
  signs: number,
  signStride: number,
  mask: number,
  first: number,
  end: number,
  query: number,
  ceiling: number,
  hits: number,
  values: number,
];

/** Throws an Error if the runtime or the memory lacks a required feature. */
export function openKernelModule(memory: SharedMemory): KernelModule {
  const bytes = Uint8Array.from(readFileSync(new URL("./search-kernels.wasm", import.meta.url)));
  try {
    const instance = new webAssembly.Instance(new webAssembly.Module(bytes), { env: { memory } });
    // The module is part of this project; a test checks that it matches its source.
    return instance.exports as unknown as KernelModule;
  } catch (cause) {
    throw new Error(
      "the search kernels cannot be loaded: they need WebAssembly with SIMD, threads and bulk memory, and a shared memory",
      { cause },
    );
  }
}
