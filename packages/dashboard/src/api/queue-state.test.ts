import assert from "node:assert/strict";
import { test } from "node:test";
import { withStart } from "./queue-state.ts";

const queue = {
  ...{ pending: 2, running: 19, completed: 100, failed: 3 },
  ...{ jobs_per_minute: null, seconds_left: null, failures: [] },
};

test("progress is counted from when the queue was empty, and from the first look where it was not", () => {
  const first = withStart(queue, undefined);
  assert.equal(first.endedBefore, 103);
  const later = withStart({ ...queue, running: 11, completed: 108 }, first);
  assert.equal(later.endedBefore, 103);
  const idle = withStart({ ...queue, pending: 0, running: 0, completed: 121 }, later);
  assert.equal(idle.endedBefore, 103);
  assert.equal(withStart({ ...queue, completed: 125 }, idle).endedBefore, 124);
  assert.equal(withStart({ ...queue, completed: 20 }, first).endedBefore, 23);
});
