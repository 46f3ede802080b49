import assert from "node:assert/strict";
import { test } from "node:test";
import { cosine } from "../../packages/server/src/engine/index/cosine.ts";
import { createRandom } from "../soak/random.ts";
import { createMixer } from "./vectors.ts";

function unitVector(seed: number): Float32Array {
  const random = createRandom(seed);
  const vector = Float32Array.from({ length: 384 }, () => random.fraction() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

test("a mixed vector has length 1, is near both and depends on its number alone", () => {
  const mix = createMixer(1);
  const [one, other] = [unitVector(1), unitVector(2)];
  const mixed = mix(one, other, 7);
  assert.ok(Math.abs(Math.hypot(...mixed) - 1) < 1e-6);
  for (const near of [one, other]) assert.ok(cosine(mixed, near) > 0.4);
  assert.ok(Math.abs(cosine(mixed, unitVector(3))) < 0.3);
  assert.deepEqual(mix(one, other, 7), mixed);
  assert.notDeepEqual(mix(one, other, 8), mixed);
});
