import assert from "node:assert/strict";
import { test } from "node:test";
import { paintOf, shapesOf, signOf } from "./type-sign.ts";

const none = new Map();
const FOUND = ["Person", "Location", "Organization", "Work", "Event", "Product", "Code", "Thing"];

test("the types that are found without an ontology have different colours in light and dark", () => {
  for (const isDark of [false, true])
    assert.equal(new Set(FOUND.map((type) => signOf(type, isDark, none).colour)).size, FOUND.length);
});

test("a type has the same sign everywhere, and most types of one colour differ in shape", () => {
  assert.deepEqual(signOf("Ship", false, none), signOf("Ship", false, none));
  const signs = Array.from({ length: 30 }, (_, at) => signOf(`Type ${at}`, false, none));
  assert.ok(new Set(signs.map(({ colour, shape }) => colour + shape)).size >= 20);
});

test("few types of a project all differ in shape, and the most frequent one has the shape of its name", () => {
  const types = Array.from({ length: 40 }, (_, at) => `Type ${at}`);
  for (let at = 0; at + 6 <= types.length; at++) {
    const some = types.slice(at, at + 6);
    const shapes = shapesOf(some);
    assert.equal(new Set(some.map((type) => signOf(type, false, shapes).shape)).size, 6, some.join());
    const [first = ""] = some;
    assert.equal(signOf(first, false, shapes).shape, signOf(first, false, none).shape);
  }
});

test("colours stand out from the surface by at least 3 : 1", () => {
  for (const isDark of [false, true]) {
    const { surface } = paintOf(isDark);
    for (const type of [...FOUND, "Ship", "Type 1", "Type 2"])
      assert.ok(contrast(signOf(type, isDark, none).colour, surface) >= 3, `${type} ${isDark}`);
  }
});

/** As WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other].map(luminance).toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
