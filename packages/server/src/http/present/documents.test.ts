import assert from "node:assert/strict";
import { test } from "node:test";
import { stringifyJson } from "@kcs/contract";
import { packSpans } from "../../domain/chunk-spans.ts";
import type { StoredDocument } from "../../ports/document-store.ts";
import { encodeJson, LongJson } from "../long-json.ts";
import { presentDocument } from "./documents.ts";

const DOCUMENT: StoredDocument = {
  ...{ sourceDocId: "a", createdAt: 0, updatedAt: 0, job: null, sent: null },
  seen: { isComplete: true, chunkCount: 2, byteLength: 3, metadata: {} },
};

test("a document lists its chunks, those of a file with their pages", () => {
  const spans = [
    { position: 0, start: 0, end: 2, page: null },
    { position: 1, start: 1, end: 3, page: 4 },
  ];
  const presented = presentDocument({ document: DOCUMENT, text: "abc", chunks: packSpans(7, spans) });
  const { chunks } = JSON.parse(stringifyJson(presented)) as { readonly chunks: unknown };
  assert.deepEqual(chunks, [
    { chunk_id: "7.0", start: 0, end: 2 },
    { chunk_id: "7.1", start: 1, end: 3, page: 4 },
  ]);
});

test("the chunks of a long document are made while the answer is written, not at once", (t) => {
  const spans = Array.from({ length: 40_000 }, (_, at) => ({
    position: at,
    start: at,
    end: at + 1,
    page: null,
  }));
  const read = t.mock.method(Int32Array.prototype, "subarray");
  const presented = presentDocument({ document: DOCUMENT, text: "abc", chunks: packSpans(7, spans) });
  assert.equal(read.mock.callCount(), 0);
  assert.ok(encodeJson(presented) instanceof LongJson);
  // Only to tell that it is long.
  assert.ok(read.mock.callCount() < 15_000, String(read.mock.callCount()));
});
