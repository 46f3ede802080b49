import assert from "node:assert/strict";
import { test } from "node:test";
import { learnTypes, softmax } from "./taught-types.ts";

const names = [
  { type: 0, features: Float32Array.of(1, 0, 0.2), prior: [0, 0] },
  { type: 0, features: Float32Array.of(0.9, 0.1, 0), prior: [0, 0] },
  { type: 1, features: Float32Array.of(0, 1, 0.1), prior: [0, 0] },
];

test("a name like those of a type is of that type", () => {
  const logits = learnTypes(names, 2);
  const [like0 = 0] = softmax(logits(Float32Array.of(1, 0.1, 0), [0, 0]));
  const [like1 = 0] = softmax(logits(Float32Array.of(0.1, 1, 0), [0, 0]));
  assert.ok(like0 > 0.9 && like1 < 0.2, `${like0} ${like1}`);
});

test("what else is known counts where the examples say nothing", () => {
  const [first = 0, second = 0] = softmax(learnTypes(names, 2)(new Float32Array(3), [0, 3]));
  assert.ok(second > first);
});

test("the same examples teach the same", () => {
  const features = Float32Array.of(0.4, 0.5, 0.6);
  assert.deepEqual(learnTypes(names, 2)(features, [0, 0]), learnTypes(names, 2)(features, [0, 0]));
});
