import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readTfjsWeights } from "./tfjs-weights.ts";

const manifest = (weights: readonly object[]) =>
  new TextEncoder().encode(JSON.stringify({ weightsManifest: [{ weights }] }));
const table = {
  name: "table",
  shape: [2, 2],
  dtype: "float32",
  quantization: { dtype: "uint8", scale: 0.5, min: -1 },
};
const axis = { name: "axis", shape: [1], dtype: "int32" };

describe("TensorFlow.js weights", () => {
  const weights = readTfjsWeights(manifest([axis, table]), Uint8Array.of(9, 9, 9, 9, 0, 1, 2, 255));

  it("are found after skipped entries, as integers and as floats", () => {
    const { shape, values, scale, zeroPoint } = weights.requireQuantized("table");
    assert.deepEqual(
      { shape, values: [...values], scale, zeroPoint },
      {
        shape: [2, 2],
        values: [0, 1, 2, 255],
        scale: 0.5,
        zeroPoint: 2,
      },
    );
    assert.deepEqual(weights.requireFloats("table"), Float32Array.of(-1, -0.5, 0, 126.5));
  });

  it("are refused with their name when they are missing or not quantised", () => {
    assert.throws(() => weights.requireFloats("axis"), /axis/u);
  });

  it("are refused as integers when the zero point is not an integer", () => {
    const shifted = { ...table, quantization: { ...table.quantization, min: -0.7 } };
    const read = readTfjsWeights(manifest([shifted]), new Uint8Array(4));
    assert.throws(() => read.requireQuantized("table"), /zero point/u);
    assert.equal(read.requireFloats("table").length, 4);
  });

  it("are refused when the size of the binary file differs from the manifest", () => {
    assert.throws(() => readTfjsWeights(manifest([table]), new Uint8Array(5)), /4 bytes of 5/u);
  });
});
