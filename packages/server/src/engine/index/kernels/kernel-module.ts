/** The compiled loops; `packages/server/kernels/` has their source and says what each does. */
import { readFileSync } from "node:fs";
import { type SharedMemory, webAssembly } from "./web-assembly.ts";

/** All arguments but floors and weights are addresses, counts and ordinals. */
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

/** Throws an Error that says so where the runtime or the memory is not fit for the module. */
export function openKernelModule(memory: SharedMemory): KernelModule {
  const bytes = Uint8Array.from(readFileSync(new URL("./search-kernels.wasm", import.meta.url)));
  try {
    const instance = new webAssembly.Instance(new webAssembly.Module(bytes), { env: { memory } });
    // The module is our own; a test holds it to its source.
    return instance.exports as unknown as KernelModule;
  } catch (cause) {
    throw new Error(
      "the search kernels do not start: they need WebAssembly with SIMD, threads and bulk memory, and a shared memory",
      { cause },
    );
  }
}
