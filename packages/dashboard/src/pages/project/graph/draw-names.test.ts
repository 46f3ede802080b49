import assert from "node:assert/strict";
import { test } from "node:test";
import { createTakenRoom, drawLinks, drawNames, meets, type PlacedNode } from "./draw-names.ts";
import { paintOf } from "./type-sign.ts";

const size = { width: 1_000, height: 600 };
const node = (name: string, x: number, ends: PlacedNode["ends"]): PlacedNode => ({
  ...{ name, x, y: 300, size: 6, isImportant: true, isStrong: false, side: "right", ends },
});

/** Remembers what is written where; each letter is 7 pixels wide. */
function createCanvas() {
  const written = new Map<string, { readonly x: number; readonly y: number }>();
  const at = { x: 0, y: 0 };
  const canvas = {
    measureText: (text: string) => ({ width: 7 * text.length }),
    fillText: (text: string, x: number, y: number) => written.set(text, { x: at.x + x, y: at.y + y }),
    translate: (x: number, y: number) => Object.assign(at, { x, y }),
    restore: () => Object.assign(at, { x: 0, y: 0 }),
    ...{ strokeText: () => {}, save: () => {}, rotate: () => {}, fillRect: () => {} },
  };
  return { context: canvas as unknown as CanvasRenderingContext2D, written };
}

test("of two related entities no name is on their line, which has the type of the relationship", () => {
  const { context, written } = createCanvas();
  const [left, right] = [
    node("Ada Brandt", 380, [{ x: 620, y: 300 }]),
    node("Aarhus", 620, [{ x: 380, y: 300 }]),
  ];
  const taken = createTakenRoom(size);
  const paint = paintOf(false);
  drawNames(context, { nodes: [left, right], obstacles: [left, right], paint, limit: 9 }, taken);
  drawLinks(context, { edges: [{ text: "born in", from: left, to: right, isChosen: false }], paint }, taken);
  assert.deepEqual(written.get("Ada Brandt"), { x: 380 - 6 - 5 - 70, y: 300 });
  assert.deepEqual(written.get("Aarhus"), { x: 620 + 6 + 5, y: 300 });
  assert.deepEqual(written.get("born in"), { x: 500, y: 300.5 });
});

test("a name without a line beside it keeps its side", () => {
  const { context, written } = createCanvas();
  const alone = node("Aarhus", 500, [{ x: 400, y: 300 }]);
  drawNames(
    context,
    { nodes: [alone], obstacles: [alone], paint: paintOf(false), limit: 9 },
    createTakenRoom(size),
  );
  assert.deepEqual(written.get("Aarhus"), { x: 511, y: 300 });
});

test("a line meets the boxes that it runs through, and none beside or behind it", () => {
  const box = { left: 10, right: 20, top: 10, bottom: 20 };
  const meetsLine = (from: readonly [number, number], to: readonly [number, number]) =>
    meets(box, { from: { x: from[0], y: from[1] }, to: { x: to[0], y: to[1] } });
  assert.ok(meetsLine([0, 15], [30, 15]));
  assert.ok(meetsLine([15, 0], [15, 30]));
  assert.ok(meetsLine([0, 0], [30, 30]));
  assert.ok(!meetsLine([0, 25], [30, 25]));
  assert.ok(!meetsLine([0, 15], [8, 15]));
  assert.ok(!meetsLine([0, 12], [12, 0]));
});

test("the type of a chosen line that is shorter than it stands beside the line, not on its ends", () => {
  const { context, written } = createCanvas();
  const [left, right] = [node("Ada Brandt", 500, []), node("Aarhus", 520, [])];
  const edges = [{ text: "born in", from: left, to: right, isChosen: true }];
  drawLinks(context, { edges, paint: paintOf(false) }, createTakenRoom(size));
  assert.deepEqual(written.get("born in"), { x: 510, y: 300.5 + 6 + 12 });
});
