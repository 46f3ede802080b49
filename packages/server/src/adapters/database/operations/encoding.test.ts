import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeVectors, vectorBytes } from "./encoding.ts";

test("vectors are decoded unchanged, and damaged ones as null", () => {
  const vector = Float32Array.of(0.5, -1, 3e-9);
  const decoded = decodeVectors([
    vectorBytes(vector),
    null,
    vectorBytes(vector).slice(0, 7),
    vectorBytes(Float32Array.of(1, Number.NaN)),
    vectorBytes(Float32Array.of(Number.POSITIVE_INFINITY)),
    vectorBytes(vector),
  ]);
  assert.deepEqual(decoded, [vector, null, null, null, null, vector]);
});
