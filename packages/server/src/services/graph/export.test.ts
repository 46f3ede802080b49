import assert from "node:assert/strict";
import { test } from "node:test";
import { createPairs } from "./export.ts";

test("an export finds the associations of each entity once, and gives each pair once", async () => {
  const ids = Array.from({ length: 40 }, (_, at) => String(100 + at));
  let finds = 0;
  const pairs = createPairs(async (id) => {
    finds++;
    // Each entity with the two before and the two after it; every third does not list those after it.
    const near = [-2, -1, ...(Number(id) % 3 === 0 ? [] : [1, 2])].map((step) => String(Number(id) + step));
    const others = near.filter((other) => ids.includes(other));
    return others.map((entityId) => ({ entityId, strength: 0.5, chunks: 2, places: [] }));
  });
  const seen: string[] = [];
  for (const id of ids.toReversed())
    for (const { entityId } of await pairs.of(id)) seen.push([id, entityId].toSorted().join("–"));
  assert.equal(finds, ids.length);
  assert.equal(new Set(seen).size, seen.length);
  assert.equal(seen.length, 39 + 38);
});
