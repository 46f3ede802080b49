import assert from "node:assert/strict";
import { test } from "node:test";
import { placePlate } from "./draw-hover.ts";

const size = { width: 1_000, height: 600 };
// Each letter is 7 pixels wide, so this plate has a width of 86 and a height of 42.
const context = {
  measureText: (text: string) => ({ width: 7 * text.length }),
} as unknown as CanvasRenderingContext2D;
const plate = { name: "Ada Brandt", kind: "Person", labelFont: "sans-serif", size: 6, ends: [] };

function placeAt(
  x: number,
  y: number,
  given: Partial<Parameters<typeof placePlate>[1]> = {},
  others = [] as readonly (readonly [number, number])[],
) {
  return placePlate(
    context,
    { ...plate, x, y, ...given },
    { ...size, others: others.map(([left, top]) => ({ x: left, y: top, size: 6 })) },
  );
}

test("the plate of an entity covers no other entity while a side of it is free", () => {
  const [right, left, below] = [
    [540, 310],
    [440, 300],
    [500, 330],
  ] as const;
  assert.equal(placeAt(500, 300).left, 516);
  assert.equal(placeAt(500, 300, {}, [right]).right, 484);
  assert.equal(placeAt(500, 300, {}, [right, left]).top, 316);
  assert.equal(placeAt(500, 300, {}, [right, left, below]).bottom, 284);
  assert.equal(placeAt(500, 300, {}, [right, left, below, [500, 270]]).left, 516, "each covers one");
});

test("a plate is not on a line of its entity while a side is free of lines", () => {
  assert.equal(placeAt(500, 300, { ends: [{ x: 700, y: 300 }] }).right, 484);
  const across = [
    { x: 700, y: 300 },
    { x: 300, y: 300 },
  ];
  assert.equal(placeAt(500, 300, { ends: across }).top, 316);
});

test("a plate is within the picture", () => {
  assert.equal(placeAt(990, 300).right, 974);
  assert.equal(placeAt(500, 4).top, 0);
  const corner = placeAt(990, 596);
  assert.deepEqual([corner.right, corner.bottom], [974, 600]);
});
