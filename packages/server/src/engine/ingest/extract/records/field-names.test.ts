import assert from "node:assert/strict";
import { test } from "node:test";
import { readFieldNames } from "./field-names.ts";

const cases: readonly (readonly [string, readonly string[]])[] = [
  ["Jon Feld", ["Jon Feld"]],
  ["Dr. Ida Marsk (chair)", ["Ida Marsk"]],
  ["Capt. Jon Feld, retired", ["Jon Feld"]],
  ["General Mills", ["General Mills"]],
  ["Jon Feld; Ida Marsk", ["Jon Feld", "Ida Marsk"]],
  ["Jon Feld, Ida Marsk and Orla Brand", ["Jon Feld", "Ida Marsk", "Orla Brand"]],
  ["Orrick 85, Tessel 15", ["Orrick", "Tessel"]],
  ["rye flour 18 kg a day", ["rye flour"]],
  ["Mill Lane 4", ["Mill Lane 4"]],
  ["bequest of Ida Marsk", ["Ida Marsk"]],
  ["2008", []],
  ["none so far", []],
  ["TBC", []],
  ["Jon Feld?", []],
  ["Open Kitchen", ["Open Kitchen"]],
];

for (const [value, names] of cases) {
  test(`"${value}" names ${names.length === 0 ? "nothing" : names.join(" and ")}`, () => {
    const text = `Key: ${value}`;
    const found = readFieldNames(value, 5).names;
    assert.deepEqual(
      found.map(({ start, end }) => text.slice(start, end)),
      names,
    );
  });
}

test("the small words before a name are told apart", () => {
  assert.equal(readFieldNames("bequest of Ida Marsk", 0).lead, "bequest of");
});
