import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf, placesOf } from "./picture-legend.ts";

test("types stand side by side below a picture, and a further row begins where the width ends", () => {
  const widthOf = () => 60;
  assert.deepEqual(placesOf(["Film", "Person", "Place"], { width: 240, widthOf }), [
    { type: "Film", x: 20, row: 0 },
    { type: "Person", x: 116, row: 0 },
    { type: "Place", x: 20, row: 1 },
  ]);
  assert.deepEqual(placesOf(["Film"], { width: 10, widthOf }), [{ type: "Film", x: 20, row: 0 }]);
});

test("a caption goes on in a further line where the width ends", () => {
  const widthOf = (text: string) => 10 * text.length;
  assert.deepEqual(linesOf("24 of 54 are drawn", { width: 140, widthOf }), ["24 of 54", "are drawn"]);
  assert.deepEqual(linesOf("overlongword", { width: 60, widthOf }), ["overlongword"]);
});
