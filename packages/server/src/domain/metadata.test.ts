import assert from "node:assert/strict";
import { test } from "node:test";
import { fitTogether, MAX_METADATA_BYTES } from "./metadata.ts";

test("the metadata of documents that are accepted together has a bound, counted in bytes as it is stored", () => {
  // 31 bytes as JSON: 8 for an object with the key "k", and 6 for each control character, 2 and 3 for others.
  const metadata = { k: "\u0001\u0001é€xyz" };
  const most = Math.floor(MAX_METADATA_BYTES / Buffer.byteLength(JSON.stringify(metadata)));
  const shared = Array.from({ length: most + 1 }, () => metadata);
  assert.deepEqual([fitTogether(shared.slice(1)), fitTogether(shared)], [true, false]);
  const own = shared.map((one) => ({ ...one }));
  assert.deepEqual([fitTogether(own.slice(1)), fitTogether(own)], [true, false]);
});
