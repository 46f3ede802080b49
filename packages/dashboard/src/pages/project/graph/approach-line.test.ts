import assert from "node:assert/strict";
import { test } from "node:test";
import { viewOf } from "./approach-line.ts";

/** A picture of 1,000 by 500 pixels whose camera shows a square of 1 in it. */
function pictureOf(places: Readonly<Record<string, { readonly x: number; readonly y: number }>>) {
  const camera = {
    getState: () => ({ ratio: 1 }),
    getBoundedRatio: (ratio: number) => Math.max(0.02, ratio),
  };
  const sigma = {
    getNodeDisplayData: (id: string) => places[id],
    framedGraphToViewport: ({ x, y }: { x: number; y: number }) => ({ x: 250 + 500 * x, y: 500 - 500 * y }),
    getDimensions: () => ({ width: 1_000, height: 500 }),
    getCamera: () => camera,
  };
  return sigma as unknown as Parameters<typeof viewOf>[0];
}

test("a short line is brought near until its ends are apart, and a long one in sight stays where it is", () => {
  const short = viewOf(pictureOf({ a: { x: 0.25, y: 0.5 }, b: { x: 0.25, y: 0.54 } }), ["a", "b"]);
  assert.deepEqual([short?.x, short?.y, short?.ratio.toFixed(3)], [0.25, 0.52, "0.100"]);
  assert.equal(viewOf(pictureOf({ a: { x: 0.2, y: 0.5 }, b: { x: 0.6, y: 0.5 } }), ["a", "b"]), null);
});

test("a line out of sight is brought into it", () => {
  const outside = viewOf(pictureOf({ a: { x: 2, y: 0.5 }, b: { x: 2.4, y: 0.5 } }), ["a", "b"]);
  assert.equal(outside?.x, 2.2);
});
