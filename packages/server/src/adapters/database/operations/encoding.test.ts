import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeVectors, vectorBytes } from "./encoding.ts";

test("vectors survive, and damaged ones are none", () => {
  const whole = Float32Array.of(0.5, -1, 3e-9);
  const decoded = decodeVectors([
    vectorBytes(whole),
    null,
    vectorBytes(whole).slice(0, 7),
    vectorBytes(Float32Array.of(1, Number.NaN)),
    vectorBytes(Float32Array.of(Number.POSITIVE_INFINITY)),
    vectorBytes(whole),
  ]);
  assert.deepEqual(decoded, [whole, null, null, null, null, whole]);
});
