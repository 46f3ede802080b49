import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText, decodeVectors, encodeText, vectorBytes } from "./encoding.ts";

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

test("a text is compressed where that saves a tenth of its bytes", () => {
  let state = 1;
  const random = Array.from({ length: 1_200 }, () => {
    state = Math.imul(state, 48_271) % 0x7fff_ffff;
    return String.fromCharCode((state >>> 16) & 127);
  }).join("");
  for (const [text, encoding] of [
    ["oil ".repeat(300), "zstd"],
    ["oil ".repeat(255), "utf8"],
    [random, "utf8"],
  ] as const) {
    const encoded = encodeText(text);
    assert.deepEqual([encoded.encoding, encoded.byteLength], [encoding, text.length]);
    assert.equal(decodeText(encoded.encoding, encoded.bytes), text);
  }
});
