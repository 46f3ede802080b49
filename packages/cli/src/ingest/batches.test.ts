import assert from "node:assert/strict";
import { test } from "node:test";
import { batchesOf } from "./batches.ts";
import type { FoundDocument } from "./find-documents.ts";

const text = (id: string, bytes = 1): FoundDocument => ({
  id,
  bytes,
  hash: "h",
  read: async () => ({ source_doc_id: id, text: id }),
});
const file = (id: string, bytes = 1): FoundDocument => ({ id, bytes, hash: "h", path: id, metadata: {} });

const idsOf = (documents: readonly FoundDocument[], limits?: Parameters<typeof batchesOf>[1]) =>
  [...batchesOf(documents, limits)].map((batch) => batch.map(({ id }) => id));

test("texts and files that alternate fill one batch of each kind", () => {
  const alternating = [text("a"), file("b"), text("c"), file("d"), text("e")];
  assert.deepEqual(idsOf(alternating), [
    ["a", "c", "e"],
    ["b", "d"],
  ]);
});

test("a batch ends at its limits, and a document over the byte limit has one of its own", () => {
  const limits = { maxDocuments: 2, maxBytes: 10 };
  assert.deepEqual(idsOf([text("a"), text("b"), text("c"), text("d", 11), text("e"), text("f", 9)], limits), [
    ["a", "b"],
    ["c"],
    ["d"],
    ["e", "f"],
  ]);
  const files = Array.from({ length: 101 }, (_, at) => file(`${at}`));
  assert.deepEqual(
    idsOf(files).map((ids) => ids.length),
    [100, 1],
  );
});
