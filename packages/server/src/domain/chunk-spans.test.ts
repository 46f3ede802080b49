import assert from "node:assert/strict";
import { test } from "node:test";
import { listSpans, NO_SPANS, packSpans, spanAt } from "./chunk-spans.ts";

test("packed spans are the same spans, with and without a page, also in another thread", () => {
  const spans = [
    { position: 0, start: 0, end: 120, page: null },
    { position: 1, start: 104, end: 2_000_000_000, page: 3 },
  ];
  const packed = structuredClone(packSpans(7, spans));
  assert.deepEqual(
    listSpans(packed),
    spans.map((span) => ({ versionId: 7, ...span })),
  );
  assert.deepEqual(listSpans(packed, 1), [{ versionId: 7, position: 0, start: 0, end: 120, page: null }]);
  assert.deepEqual(listSpans(NO_SPANS), []);
  assert.throws(() => spanAt(packed, 2), RangeError);
});
