import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../../../test/support/growth.ts";
import { findIdentifiers, findShapedNames, shapeOf } from "./shaped-names.ts";

const shapes = {
  File: ["config.yaml", "src/app/main.ts", "/etc/hosts", "./run.sh", "NOTES.md"],
  Option: ["--dry-run", "--depth=3", "KCS_PORT"],
  Code: ["read_file", "onBadUrl", "list.append()", "std::vector", "@tarn/client"],
  Chemical: ["LiFePO4", "CO2", "H2O", "Al2O3", "Mg(OH)2", "C6H12O6", "orvalumab", "Tesnaprazole"],
};

for (const [type, names] of Object.entries(shapes)) {
  test(`the form of ${names.join(", ")} says ${type}`, () => {
    assert.deepEqual(
      names.map(shapeOf),
      names.map(() => type),
    );
  });
}

test("products, numbers, addresses and abbreviations have none of these forms", () => {
  const others =
    "iPhone eBay macOS mmHg Node.js PS5 IP67 B2B I2C U.S.A e.g and/or 10.1.2.3 -5 v2.3 GitHub a@b.example https://a.example/b.html";
  for (const name of others.split(" ")) assert.equal(shapeOf(name), null, name);
});

test("letters and digits around a hyphen or slash are identifiers", () => {
  const text =
    "Close RQ-1187 (was P1-0042), shelf 88-C; not 2019-20, a 2-day job, 3-CUP, B2B, 5/6 or half-TON.";
  const found = findIdentifiers(text).map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(found, ["RQ-1187", "P1-0042", "88-C"]);
});

test("marks of the sentence do not belong to a name", () => {
  const text = 'Set KCS_PORT (see `config.yaml`), then call "open_port()".';
  const found = findShapedNames(text).map(({ start, end, type }) => [text.slice(start, end), type]);
  assert.deepEqual(found, [
    ["KCS_PORT", "Option"],
    ["config.yaml", "File"],
    ["open_port()", "Code"],
  ]);
});

test("the time for hostile text grows with its length alone", async () => {
  const units = [
    "a_",
    "a.",
    "a/",
    "A_",
    "()",
    "--a",
    "aB",
    "Fe2",
    "a::",
    "(",
    ".",
    "/",
    "@a/",
    "A-1",
    "9/A",
    "amab",
  ];
  await assertLinear("shaped names", 20_000, (length) => {
    for (const unit of units) {
      findShapedNames(unit.repeat(length / unit.length));
      findIdentifiers(`${unit.repeat(20)} `.repeat(length / unit.length / 20));
      findShapedNames(`${unit.repeat(20)} `.repeat(length / unit.length / 20));
    }
  });
});
