import assert from "node:assert/strict";
import { test } from "node:test";
import { paintOf, signOf } from "./type-sign.ts";

const FOUND = ["Person", "Location", "Organization", "Work", "Event", "Product", "Code", "Thing"];

test("the types that are found without an ontology have different colours in light and dark", () => {
  for (const isDark of [false, true])
    assert.equal(new Set(FOUND.map((type) => signOf(type, isDark).colour)).size, FOUND.length);
});

test("a type has the same sign everywhere, and most types of one colour differ in shape", () => {
  assert.deepEqual(signOf("Ship", false), signOf("Ship", false));
  const signs = Array.from({ length: 30 }, (_, at) => signOf(`Type ${at}`, false));
  assert.ok(new Set(signs.map(({ colour, shape }) => colour + shape)).size >= 20);
});

test("colours stand out from the surface by at least 3 : 1", () => {
  for (const isDark of [false, true]) {
    const { surface } = paintOf(isDark);
    for (const type of [...FOUND, "Ship", "Type 1", "Type 2"])
      assert.ok(contrast(signOf(type, isDark).colour, surface) >= 3, `${type} ${isDark}`);
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
