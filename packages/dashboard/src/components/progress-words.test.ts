import assert from "node:assert/strict";
import { test } from "node:test";
import { progressWords } from "./progress-words.ts";

test("progress says what it counts, and what happens before the number is known", () => {
  const told = (value: number, total: number | null) => progressWords({ value, total, unit: "chunk" });
  assert.deepEqual(
    [told(0, null), told(0, 0), told(0, 1), told(3, 1_200), told(1, null)],
    ["reading the text", "reading the text", "0 of 1 chunk", "3 of 1,200 chunks", "1 chunk"],
  );
  assert.equal(progressWords({ value: 0, total: 7, unit: "document" }), "0 of 7 documents");
});
