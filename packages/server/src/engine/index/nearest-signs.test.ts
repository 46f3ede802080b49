import assert from "node:assert/strict";
import { test } from "node:test";
import { createNearestSigns } from "./nearest-signs.ts";

/** Few different distances, so that there are many ties. */
function distancesOf(seed: number, count: number): readonly number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return 20 + ((state >>> 16) % 25) + ((state >>> 20) % 20);
  });
}

function expectedOf(distances: readonly number[], limit: number): readonly number[] {
  const sorted = [...distances.entries()].sort(([at, one], [otherAt, other]) => one - other || at - otherAt);
  return sorted
    .slice(0, limit)
    .map(([at]) => at)
    .sort((one, other) => one - other);
}

test("the nearest are those of a full sort, with the smallest ordinals of equal distance", () => {
  for (const count of [0, 1, 31, 32, 33, 500, 5_000]) {
    for (let seed = 1; seed <= 5; seed++) {
      const distances = distancesOf(seed, count);
      const nearest = createNearestSigns(32, 64);
      // As the kernel does: nothing above the last returned distance is offered.
      let ceiling = Number.POSITIVE_INFINITY;
      for (const [ordinal, distance] of distances.entries())
        if (distance <= ceiling) ceiling = nearest.offer(ordinal, distance);
      assert.deepEqual([...nearest.ordinals()], expectedOf(distances, 32));
    }
  }
});

test("chunks at every distance from none to all bits are kept", () => {
  const nearest = createNearestSigns(2, 3);
  for (const [ordinal, distance] of [3, 3, 3, 0].entries()) nearest.offer(ordinal, distance);
  assert.deepEqual([...nearest.ordinals()], [0, 3]);
  const zeros = createNearestSigns(2, 3);
  for (const ordinal of [0, 1, 2]) zeros.offer(ordinal, 0);
  assert.deepEqual([...zeros.ordinals()], [0, 1]);
});
