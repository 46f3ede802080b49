import assert from "node:assert/strict";
import { test } from "node:test";
import { lineLength } from "./line-length.ts";

test("the fewer entities there are, the longer are their lines", () => {
  const lengths = [2, 8, 16, 24, 2_000, 2_001].map(lineLength);
  assert.deepEqual(lengths, [140, 119, 90, 62, 62, 40]);
});
