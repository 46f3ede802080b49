import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeRelationWeights, encodeRelationWeights, readRelationWeights } from "./weights.ts";

test("The weights of both models survive being written and read.", () => {
  const models = readRelationWeights();
  assert.deepEqual(decodeRelationWeights(encodeRelationWeights(models)), models);
});

test("A file that is cut off or too long is refused.", () => {
  const bytes = encodeRelationWeights(readRelationWeights());
  for (const wrong of [
    bytes.slice(0, -4),
    bytes.slice(0, 12),
    new Uint8Array(0),
    Uint8Array.of(...bytes, 0, 0, 0, 0),
  ])
    assert.throws(() => decodeRelationWeights(wrong), RangeError);
});
