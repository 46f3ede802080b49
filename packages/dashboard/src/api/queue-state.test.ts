import assert from "node:assert/strict";
import { test } from "node:test";
import { hasEnded } from "./queue-state.ts";

const queue = (pending: number, running: number, completed: number) => ({
  ...{ pending, running, completed, reread: null },
});

test("work has ended when nothing is left of it, also when nobody saw it run", () => {
  assert.ok(!hasEnded(queue(2, 1, 0), queue(0, 1, 2)));
  assert.ok(hasEnded(queue(0, 1, 2), queue(0, 0, 3)));
  assert.ok(hasEnded(queue(0, 0, 3), queue(0, 0, 4)));
  assert.ok(!hasEnded(queue(0, 0, 3), queue(0, 0, 3)));
});

test("a reading of documents again has ended when none of them is left", () => {
  const reread = { documents_processed: 1, documents_failed: 0, documents_queued: 0, documents_total: 2 };
  const before = { ...queue(0, 0, 5), reread };
  assert.ok(!hasEnded(queue(0, 0, 5), before));
  assert.ok(hasEnded(before, queue(0, 0, 5)));
});
