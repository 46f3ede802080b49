import assert from "node:assert/strict";
import { test } from "node:test";
import { readGraphAddress } from "./graph-address.ts";

test("a chosen line is in the address", () => {
  assert.deepEqual(readGraphAddress({ line: "12 34" }), { line: "12 34" });
  assert.deepEqual(readGraphAddress({ line: {} }), {});
});

test("an address is read without what it cannot mean", () => {
  assert.deepEqual(
    readGraphAddress({
      view: "map",
      entity: 12,
      depth: 2,
      open: [3, "", {}],
      without: ["Person"],
      size: 1_000,
    }),
    { view: "map", size: 1_000, entity: "12", depth: 2, open: ["3"], without: ["Person"] },
  );
  assert.deepEqual(
    readGraphAddress({
      view: "sky",
      size: 7,
      depth: 9,
      open: ["3"],
      to: "4",
      from: -1,
      alone: "yes",
      name: {},
    }),
    {},
  );
  assert.deepEqual(readGraphAddress({ name: "Ada", type: "Person", alone: true, from: 50 }), {
    ...{ name: "Ada", type: "Person", alone: true, from: 50 },
  });
  assert.deepEqual(readGraphAddress({ document: "a/b.md", asOf: 1901 }), {
    document: "a/b.md",
    asOf: "1901",
  });
  assert.deepEqual(readGraphAddress({ pins: "12_-40_33~_~sky" }), { pins: "12_-40_33" });
  assert.deepEqual(readGraphAddress({ pins: ["12"] }), {});
  assert.deepEqual(readGraphAddress({ document: "", asOf: "1901-13" }), {});
});
