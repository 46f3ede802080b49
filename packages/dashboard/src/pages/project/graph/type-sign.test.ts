import assert from "node:assert/strict";
import { test } from "node:test";
import { paintOf, shapes, shapesOf, signOf } from "./type-sign.ts";

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

const MANY = Array.from({ length: 40 }, (_, at) => `Type ${at}`);
const colourOf = (type: string) => signOf(type, false, none).colour;

test("types of one colour differ in shape, as many as there are shapes", () => {
  const given = shapesOf(MANY);
  for (const colour of new Set(MANY.map(colourOf))) {
    const group = MANY.filter((type) => colourOf(type) === colour);
    assert.equal(new Set(group.map((type) => given.get(type))).size, Math.min(group.length, shapes.length));
  }
});

test("the sign of a type does not change when types of other colours or shapes come and go, or become more frequent", () => {
  const given = shapesOf(MANY);
  assert.deepEqual(shapesOf([...MANY].reverse()), given);
  for (const gone of MANY) {
    const left = shapesOf(MANY.filter((type) => type !== gone));
    const changed = [...left].filter(([type, shape]) => shape !== given.get(type)).map(([type]) => type);
    assert.deepEqual(
      changed.filter((type) => colourOf(type) !== colourOf(gone)),
      [],
    );
  }
  // Two of one colour keep the shapes of their names unless these are the same.
  const [one = "", other = ""] = MANY.filter((type) => colourOf(type) === colourOf("Type 0"));
  assert.equal(shapesOf([one, other]).get(one), signOf(one, false, none).shape);
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
