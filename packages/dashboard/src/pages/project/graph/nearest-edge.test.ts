import assert from "node:assert/strict";
import { test } from "node:test";
import { createDrawnGraph } from "./drawn-graph.ts";
import { nearestEdge } from "./nearest-edge.ts";
import { paintOf } from "./type-sign.ts";

const node = (id: string) => ({ id, name: id, type: "Person", degree: 1 });
const edge = (id: string, source: string, target: string) => ({
  ...{ id, source, target, types: ["KNOWS"], there: ["KNOWS"], back: [], chunks: 1 },
});
const scene = {
  ...{ kind: "overview" as const, centre: null, nodes: ["a", "b", "c"].map(node) },
  edges: [edge("a-b", "a", "b"), edge("a-c", "a", "c")],
};
const positions = new Map([
  ["a", { x: 0, y: 0 }],
  ["b", { x: 100, y: 0 }],
  ["c", { x: 100, y: 20 }],
]);
const graph = createDrawnGraph(scene, positions, { paint: paintOf(false), isDark: false, slots: new Map() });
const sigma = {
  getNodeDisplayData: (id: string) => graph.getNodeAttributes(id),
  framedGraphToViewport: (place: { x: number; y: number }) => place,
} as unknown as Parameters<typeof nearestEdge>[0]; // Of Sigma, which needs a screen, what the function uses.

test("a click within six pixels of a line means the nearest one, and one further away means none", () => {
  assert.equal(nearestEdge(sigma, graph, { x: 60, y: -6 }), "a-b");
  assert.equal(nearestEdge(sigma, graph, { x: 90, y: 6 }), "a-b");
  assert.equal(nearestEdge(sigma, graph, { x: 90, y: 14 }), "a-c");
  assert.equal(nearestEdge(sigma, graph, { x: 60, y: -9 }), null);
  assert.equal(nearestEdge(sigma, graph, { x: 120, y: 0 }), null);
});
