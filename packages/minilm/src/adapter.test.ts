import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readAdapter } from "./adapter.ts";
import type { TfjsWeights } from "./tfjs-weights.ts";

interface Row {
  readonly scale: number;
  readonly bytes: readonly number[];
}

function fileOf(tensors: readonly { readonly entry: object; readonly rows: readonly Row[] }[]): Uint8Array {
  const header = new TextEncoder().encode(JSON.stringify(tensors.map(({ entry }) => entry)));
  const parts = [Buffer.alloc(4), Buffer.from(header)];
  parts[0]?.writeUInt32LE(header.length);
  for (const { scale, bytes } of tensors.flatMap(({ rows }) => rows)) {
    const row = Buffer.alloc(4);
    row.writeFloatLE(scale);
    parts.push(row, Buffer.from(bytes));
  }
  return Buffer.concat(parts);
}

/** A matrix of two inputs and three outputs, a vector of two. */
const weights: TfjsWeights = {
  requireFloats: (name) => (name === "matrix" ? Float32Array.of(1, 0, 2, 0, 1, -4) : Float32Array.of(10, 20)),
  requireQuantized: () => ({ shape: [2, 3], values: Uint8Array.of(129, 128), scale: 0.5, zeroPoint: 128 }),
};
const adapter = readAdapter(
  fileOf([
    { entry: { name: "head", rows: 1, columns: 2, bits: 8 }, rows: [{ scale: 0.5, bytes: [2, 0xfe] }] },
    {
      entry: { name: "matrix", rows: 3, columns: 2, bits: 4 },
      rows: [
        { scale: 1, bytes: [0x21] }, // 1, 2
        { scale: 0.5, bytes: [0x0f] }, // −0.5, 0
        { scale: 0, bytes: [0] },
      ],
    },
    { entry: { name: "vector", rows: 1, columns: 2, bits: 8 }, rows: [{ scale: 1, bytes: [1, 0xff] }] },
  ]),
);

describe("what was learned on top of a model", () => {
  it("has layers of its own", () => {
    assert.deepEqual(adapter.requireTensor("head"), Float32Array.of(1, -1));
    assert.throws(() => adapter.requireTensor("other"), /no tensor other/u);
  });

  it("is added to vectors, and to matrices with a scale for each output; what is not in the file stays", () => {
    const applied = adapter.apply(weights);
    assert.deepEqual(applied.requireFloats("vector"), Float32Array.of(11, 19));
    assert.deepEqual(applied.requireFloats("another"), Float32Array.of(10, 20));
    // Outputs: (1, 0) + (1, 2), (0, 1) + (−0.5, 0), (2, −4) + 0.
    const { codes, scales, zeroPoints } = applied.requireLinear("matrix");
    assert.deepEqual(
      scales,
      Float32Array.from([2, 1, 4], (most) => most / 127),
    );
    assert.deepEqual([...codes], [127, -64, 64, 127, 127, -127]);
    assert.deepEqual([...zeroPoints], [0, 0, 0]);
  });

  it("is refused when its header does not describe it", () => {
    assert.throws(() => readAdapter(Buffer.concat([fileOf([]), Buffer.alloc(1)])), /describes 6 bytes of 7/u);
  });
});
