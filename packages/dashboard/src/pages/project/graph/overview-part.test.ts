import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphOverview } from "@kcs/sdk";
import { partOf, readSizeOf } from "./overview-part.ts";

/** Chains of as many entities as said, in this order; `connected`: of the whole graph. */
function overviewOf(chains: readonly number[], connected?: number): GraphOverview {
  const ids = chains.flatMap((length, chain) => Array.from({ length }, (_, at) => `${chain}-${at}`));
  const relationships = chains.flatMap((length, chain) =>
    Array.from({ length: length - 1 }, (_, at) => ({
      ...{ relationship_id: `${chain}-${at}`, source: `${chain}-${at}`, target: `${chain}-${at + 1}` },
      ...{ type: "KNOWS", chunks: 1 },
    })),
  );
  return {
    entities: ids.map((id) => ({ entity_id: id, name: id, type: "Person", degree: 1 })),
    relationships,
    connected_entities: connected ?? ids.length,
    total_relationships: relationships.length,
    is_complete: true,
  };
}

const pairs = Array.from({ length: 60 }, () => 2);

test("the first map leaves out pairs while enough hangs together in larger groups", () => {
  const overview = overviewOf([20, 3, 3, ...pairs]);
  const first = partOf(overview, { size: 300, isFirst: true });
  assert.deepEqual([first.entities.length, first.relationships.length, first.isWithoutPairs], [26, 23, true]);
  const more = partOf(overview, { size: 1_000, isFirst: false });
  assert.deepEqual([more.entities.length, more.isWithoutPairs], [146, false]);
});

test("where there is little else, or nothing else, pairs are drawn", () => {
  for (const chains of [[5, ...pairs], pairs, [40]]) {
    const part = partOf(overviewOf(chains), { size: 300, isFirst: true });
    const all = chains.reduce((sum, length) => sum + length, 0);
    assert.deepEqual([part.entities.length, part.isWithoutPairs], [all, false]);
  }
});

test("a few pairs are drawn with the rest at once", () => {
  const all = partOf(overviewOf([20, 4, 2]), { size: 300, isFirst: true });
  assert.deepEqual([all.entities.length, all.isWithoutPairs], [26, false]);
});

test("a rest of a few entities is drawn at once, a larger one on request", () => {
  assert.equal(partOf(overviewOf([302]), { size: 300, isFirst: true }).entities.length, 302);
  const part = partOf(overviewOf([readSizeOf(300)], 5_000), { size: 300, isFirst: true });
  assert.deepEqual([part.entities.length, part.relationships.length], [300, 299]);
  assert.equal(readSizeOf(10_000), 10_000);
});

test("of a document that names many entities without relationships as many are drawn as wanted", () => {
  const alone = (count: number) => overviewOf([5, ...Array.from({ length: count }, () => 1)], 5);
  const drawn = (count: number) => partOf(alone(count), { size: 300, isFirst: false });
  const cut = drawn(readSizeOf(300) - 5);
  assert.deepEqual([cut.entities.length, cut.isAll], [300, false]);
  const all = drawn(300);
  assert.deepEqual([all.entities.length, all.isAll], [305, true]);
});
