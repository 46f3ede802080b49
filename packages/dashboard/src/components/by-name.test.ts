import assert from "node:assert/strict";
import { test } from "node:test";
import { byName } from "./by-name.ts";

test("numbers in names are compared as numbers, and letters whatever their case", () => {
  const names = ["file10", "File3", "file2", "Émile", "zone"];
  assert.deepEqual(names.toSorted(byName), ["Émile", "file2", "File3", "file10", "zone"]);
});
