/** Integer dot products of one int8 query with many int8 rows: in WebAssembly SIMD, and the same in TypeScript. */
import { assembleModule, type Code, i32, i32x4, local, repeatWhile, v128 } from "./wasm-assembler.ts";

export interface RowBlock {
  readonly rows: Int8Array;
  /** Bytes from one row to the next, and length of the query. */
  readonly stride: number;
  readonly query: Int8Array;
}

/** Row bytes that one turn of the inner loop takes; strides are multiples of it. */
const STEP = 32;
const LANES = 8;

/**
 * The bytes of a module that imports `env.memory` and exports `dots(query, rows, count, stride, out)`: addresses in
 * bytes, `count` > 0 rows of `stride` int8 numbers, the query widened to int16 beforehand, one i32 written for each
 * row. Products of int8 numbers and their sums are exact, so the result is that of any other order of addition.
 */
export function assembleDotKernel(): Uint8Array<ArrayBuffer> {
  const [query, row, count, stride, out, at, end] = [0, 1, 2, 3, 4, 5, 6];
  // Four sums: the next addition need not wait for the last.
  const sums = [7, 8, 9, 10];
  const advance = (index: number, bytes: number): Code =>
    local.set(index, i32.add(local.get(index), i32.constant(bytes)));
  const accumulate = (sum: number, part: number): Code => {
    const rowPart = v128.loadWidened(local.get(row), part * LANES);
    const queryPart = v128.load(local.get(at), part * LANES * 2);
    return local.set(sum, i32x4.add(local.get(sum), i32x4.dotOfInt16(rowPart, queryPart)));
  };
  const alongRow = [...sums.map(accumulate), advance(row, STEP), advance(at, 2 * STEP)];
  const total = sums.map((sum) => local.get(sum)).reduce((one, other) => i32x4.add(one, other));
  const lane = (index: number) => i32x4.lane(local.get(sums[0] ?? 0), index);
  const eachRow = [
    local.set(at, local.get(query)),
    local.set(end, i32.add(local.get(query), i32.shiftLeft(local.get(stride), i32.constant(1)))),
    ...sums.map((sum) => local.set(sum, v128.zero())),
    repeatWhile(i32.isBelow(local.get(at), local.get(end)), alongRow),
    local.set(sums[0] ?? 0, total),
    i32.store(
      local.get(out),
      [0, 1, 2, 3].map(lane).reduce((one, other) => i32.add(one, other)),
    ),
    advance(out, 4),
    local.set(count, i32.subtract(local.get(count), i32.constant(1))),
  ];
  return assembleModule("dots", {
    parameterCount: 5,
    locals: ["i32", "i32", "v128", "v128", "v128", "v128"],
    body: [repeatWhile(local.get(count), eachRow)],
  });
}

/** Writes the dot product of each row with the query to `out`. */
export function dotRows({ rows, stride, query }: RowBlock, out: Int32Array): void {
  const count = stride === 0 ? 0 : rows.length / stride;
  for (let row = 0, at = 0; row < count; row++, at += stride) {
    let even = 0;
    let odd = 0;
    for (let index = 0; index < stride; index += 2) {
      even += (rows[at + index] ?? 0) * (query[index] ?? 0);
      odd += (rows[at + index + 1] ?? 0) * (query[index + 1] ?? 0);
    }
    out[row] = even + odd;
  }
}
