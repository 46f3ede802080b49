import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { paintOf, shapes, signOf, slotsOf } from "./type-sign.ts";

const none = new Map();
const FOUND = ["Person", "Location", "Organization", "Work", "Event", "Product", "Code", "Thing"];

test("the types that are found without an ontology have different colours in light and dark", () => {
  for (const isDark of [false, true])
    assert.equal(new Set(FOUND.map((type) => signOf(type, isDark, none).colour)).size, FOUND.length);
});

test("the types that are found without an ontology have the same sign whichever of them a project has", () => {
  fc.assert(
    fc.property(fc.subarray(FOUND), (types) => {
      const given = slotsOf(types);
      for (const type of types) assert.deepEqual(signOf(type, false, given), signOf(type, false, none), type);
    }),
  );
});

test("a type has the same sign everywhere, and most types of one colour differ in shape", () => {
  assert.deepEqual(signOf("Ship", false, none), signOf("Ship", false, none));
  const signs = Array.from({ length: 30 }, (_, at) => signOf(`Type ${at}`, false, none));
  assert.ok(new Set(signs.map(({ colour, shape }) => colour + shape)).size >= 20);
});

const MANY = Array.from({ length: 60 }, (_, at) => `Type ${at}`);
const colours = 8;
const labelIn = (types: readonly string[]) => {
  const given = slotsOf(types);
  return (type: string) => Object.values(signOf(type, false, given)).join(" ");
};

test("types shown together differ in colour while there are enough, and always in colour or shape", () => {
  const given = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: colours * shapes.length });
  fc.assert(
    fc.property(given, (all) => {
      const types = all.filter((type) => type !== "Thing");
      const signs = types.map((type) => signOf(type, true, slotsOf(types)));
      assert.equal(new Set(signs.map(({ colour }) => colour)).size, Math.min(types.length, colours));
      assert.equal(new Set(signs.map(({ colour, shape }) => `${colour} ${shape}`)).size, types.length);
    }),
  );
  for (const types of [
    ["Film", "Director", "City", "Award", "Studio"],
    ["Ship", "Port", "Person", "Company", "Voyage"],
  ])
    assert.equal(new Set(types.map((type) => signOf(type, false, slotsOf(types)).colour)).size, types.length);
});

test("types of similar colours differ in shape, while there are at most sixteen", () => {
  // What follows each colour around the circle of hues.
  const next: Readonly<Record<string, string>> = {
    ...{ "#c2410c": "#8a6100", "#8a6100": "#15803d", "#15803d": "#0b7c8f", "#0b7c8f": "#2f62c9" },
    ...{ "#2f62c9": "#6b46c1", "#6b46c1": "#a21caf", "#a21caf": "#be1e4f", "#be1e4f": "#c2410c" },
  };
  const given = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 16 });
  fc.assert(
    fc.property(given, (all) => {
      const types = all.filter((type) => type !== "Thing");
      const signs = types.map((type) => signOf(type, false, slotsOf(types)));
      for (const [at, one] of signs.entries())
        for (const other of signs.slice(at + 1)) {
          const isAlike =
            [one.colour, next[one.colour]].includes(other.colour) || next[other.colour] === one.colour;
          assert.ok(!isAlike || one.shape !== other.shape, `${one.colour} and ${other.colour}: ${one.shape}`);
        }
    }),
  );
});

test("a renamed type has the sign that it had, also beside what still has its first name", () => {
  const before = slotsOf(["Ship", "Port", "Company", "Person"]);
  const after = slotsOf(["Vessel", "Ship", "Port", "Company", "Person"], new Map([["Vessel", "Ship"]]));
  const sign = (type: string, slots: typeof before) => signOf(type, false, slots);
  assert.deepEqual(sign("Vessel", after), sign("Ship", before));
  for (const type of ["Ship", "Port", "Company", "Person"])
    assert.deepEqual(sign(type, after), sign(type, before));
  // The map has no entity of it yet.
  assert.deepEqual(sign("Vessel", slotsOf([], new Map([["Vessel", "Ship"]]))), sign("Ship", none));
});

test("more types than signs have their own", () => {
  assert.equal(new Set(MANY.map(labelIn(MANY))).size, colours * shapes.length);
});

test("the colour of a type is that of its name, unless one before it by name has it", () => {
  const types = MANY.slice(0, 8);
  const colourOf = (type: string) => signOf(type, false, none).colour;
  const label = labelIn(types);
  assert.deepEqual(types.toReversed().map(labelIn(types.toReversed())), types.toReversed().map(label));
  for (const type of types.toSorted()) {
    const isFirst = !types.some((other) => other < type && colourOf(other) === colourOf(type));
    assert.equal(signOf(type, false, slotsOf(types)).colour === colourOf(type), isFirst, type);
  }
});

test("a type that gives way has the same second colour wherever it is free", () => {
  const [first = "", second = ""] = MANY.filter(
    (type) => signOf(type, false, none).colour === signOf("Type 0", false, none).colour,
  ).toSorted();
  const pair = labelIn([first, second])(second);
  const other =
    MANY.find((type) => !pair.startsWith(signOf(type, false, none).colour) && type > second) ?? "";
  assert.equal(labelIn([first, second, other])(second), pair);
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
