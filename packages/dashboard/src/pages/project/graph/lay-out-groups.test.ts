import assert from "node:assert/strict";
import { test } from "node:test";
import { layOutGroups } from "./lay-out-groups.ts";
import { lineLength } from "./line-length.ts";

/** Chains of as many entities as said. */
function chains(lengths: readonly number[]) {
  const groups: number[] = [];
  const edges: number[] = [];
  for (const [group, length] of lengths.entries()) {
    for (let at = 0; at < length; at++) {
      if (at > 0) edges.push(groups.length - 1, groups.length);
      groups.push(group);
    }
  }
  return { groups, edges, sizes: new Float32Array(groups.length).fill(6) };
}

for (const shape of ["wide", "tall"] as const)
  test(`of many small groups each has room, its lines are to be seen, and together they are as ${shape} as a picture`, () => {
    const { groups, edges, sizes } = chains([12, 6, 5, 4, 4, ...Array.from({ length: 70 }, () => 2)]);
    const places = layOutGroups({ sizes, edges: Uint32Array.from(edges), shape }, () => {});
    const distance = (one: number, other: number) =>
      Math.hypot(
        (places[2 * one] ?? 0) - (places[2 * other] ?? 0),
        (places[2 * one + 1] ?? 0) - (places[2 * other + 1] ?? 0),
      );
    const wanted = lineLength(sizes.length);
    for (let at = 0; at < edges.length; at += 2) {
      const length = distance(edges[at] ?? 0, edges[at + 1] ?? 0);
      assert.ok(length > 0.8 * wanted && length < 3 * wanted, `a line of ${length}`);
    }
    for (const [one, group] of groups.entries())
      for (let other = one + 1; other < groups.length; other++)
        if (groups[other] !== group)
          assert.ok(distance(one, other) > wanted / 2, `${one} and ${other} touch`);
    const extent = (axis: 0 | 1) => {
      const all = [...places].filter((_, at) => at % 2 === axis);
      return Math.max(...all) - Math.min(...all);
    };
    const ratio = extent(0) / extent(1);
    const [least, most] = shape === "wide" ? [1.4, 2.6] : [0.6, 1.1];
    assert.ok(ratio > least && ratio < most, `${ratio} times as wide as high`);
    // No group of two needs more than a square of three lines' lengths.
    assert.ok(extent(0) * extent(1) < 75 * (3 * wanted) ** 2, "the groups lie close to each other");
  });

test("a graph in one piece stands in the middle", () => {
  const { edges, sizes } = chains([9]);
  const places = layOutGroups({ sizes, edges: Uint32Array.from(edges), shape: "wide" }, () => {});
  const across = [...places].filter((_, at) => at % 2 === 0);
  assert.ok(Math.abs(Math.max(...across) + Math.min(...across)) < 0.01);
});
