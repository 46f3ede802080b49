import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchemaDraft } from "./schema-draft.ts";
import { labelWidth, layOut } from "./schema-layout.ts";

function draftOf(types: number, edges: readonly (readonly [number, number])[]): SchemaDraft {
  return {
    nodeTypes: Array.from({ length: types }, (_, at) => ({
      ...{ name: `NodeType${at}`, level: 0, description: "", properties: [], aggregates: [] },
    })),
    edgeTypes: edges.map(([from, to], at) => ({
      ...{
        name: `RELATES_TO_${at}`,
        description: "",
        properties: [],
        isTemporal: false,
        isFunctional: false,
      },
      sources: [`NodeType${from}`],
      targets: [`NodeType${to}`],
    })),
  };
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function boxOf({ x, y }: { x: number; y: number }, width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

for (const types of [8, 20]) {
  for (const maxWidth of [358, 1_000]) {
    test(`with ${types} types, on ${maxWidth} pixels, no box or label covers another, and nothing is cut`, () => {
      const edges = Array.from({ length: types + 6 }, (_, at) => [at % types, (at * 3 + 1) % types] as const);
      const picture = layOut(draftOf(types, [...edges, [0, 0], [1, 2], [1, 2]]), maxWidth);
      assert.equal(picture.nodes.length, types);
      const boxes = [
        ...picture.nodes.map((node) => boxOf(node, node.width, node.height)),
        ...picture.edges.map(({ at, label }) => boxOf(at, labelWidth(label), 14)),
      ];
      for (const [at, box] of boxes.entries()) {
        assert.ok(box.left >= 0 && box.top >= 0, JSON.stringify(box));
        assert.ok(box.right <= picture.width && box.bottom <= picture.height, JSON.stringify(box));
        for (const other of boxes.slice(at + 1))
          assert.ok(!overlap(box, other), JSON.stringify([box, other]));
      }
    });
  }
}

test("what no line joins stands side by side only as far as there is room", () => {
  const picture = layOut(
    draftOf(14, [
      [0, 1],
      [2, 3],
    ]),
    358,
  );
  assert.ok(picture.width <= 358, `${picture.width}`);
  assert.equal(picture.nodes.length, 14);
  const boxes = picture.nodes.map((node) => boxOf(node, node.width, node.height));
  for (const [at, box] of boxes.entries()) {
    assert.ok(box.right <= picture.width && box.bottom <= picture.height, JSON.stringify(box));
    for (const other of boxes.slice(at + 1)) assert.ok(!overlap(box, other), JSON.stringify([box, other]));
  }
});

test("several relationships of a type with itself are one loop around their labels", () => {
  const loops = Array.from({ length: 4 }, () => [0, 0] as const);
  for (const maxWidth of [100, 2_000]) {
    const { edges, width, height } = layOut(draftOf(2, [...loops, [0, 1]]), maxWidth);
    const drawn = edges.filter(({ path }) => path !== "");
    assert.equal(drawn.length, 2, "the loop and the line to the other type");
    const numbers = (drawn[0]?.path.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
    const [across, down] = [0, 1].map((axis) => numbers.filter((_, at) => at % 2 === axis));
    for (const { at } of edges.slice(0, 4)) {
      assert.ok(Math.min(...(across ?? [])) <= at.x);
      assert.ok(Math.max(...(across ?? [])) >= at.x && Math.max(...(across ?? [])) <= width);
      assert.ok(Math.min(...(down ?? [])) <= at.y && Math.max(...(down ?? [])) <= height);
    }
  }
});

test("a type that is only named is drawn as unknown", () => {
  const { nodeTypes, edgeTypes } = draftOf(2, [
    [0, 1],
    [0, 7],
  ]);
  const { nodes, edges } = layOut({ nodeTypes, edgeTypes }, 900);
  assert.equal(edges.length, 2);
  assert.deepEqual(
    nodes.filter(({ isKnown }) => !isKnown).map(({ name }) => name),
    ["NodeType7"],
  );
});

test("types may have the names that objects of JavaScript have", () => {
  const { nodeTypes, edgeTypes } = draftOf(2, [[0, 1]]);
  const [first, second] = ["constructor", "__proto__"];
  const named = nodeTypes.map((type, at) => ({ ...type, name: at === 0 ? first : second }));
  const edges = edgeTypes.map((edge) => ({ ...edge, sources: [first], targets: [second] }));
  const { nodes, edges: drawn } = layOut({ nodeTypes: named, edgeTypes: edges }, 1_000);
  assert.deepEqual(nodes.map(({ name }) => name).toSorted(), [second, first]);
  assert.equal(drawn.length, 1);
});
