import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { collectAtRest } from "./collect-at-rest.ts";

const MIB = 1024 * 1024;

function rest(
  context: TestContext,
  windows: readonly { readonly share: number; readonly heapMiB: number }[],
) {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let [at, collections] = [-1, 0];
  collectAtRest({
    collect: () => void collections++,
    readShare: () => windows[at]?.share ?? 1,
    readHeapBytes: () => (windows[at]?.heapMiB ?? 0) * MIB,
  });
  return windows.map(() => {
    at++;
    context.mock.timers.tick(20_000);
    return collections;
  });
}

test("garbage is collected once when work has ended, and again after more work", (context) => {
  const busy = { share: 0.4, heapMiB: 80 };
  const resting = { share: 0.003, heapMiB: 60 };
  assert.deepEqual(
    rest(context, [busy, busy, resting, resting, busy, { ...resting, heapMiB: 65 }]),
    [0, 0, 1, 1, 1, 2],
  );
});

test("a thread that works a little is left alone", (context) => {
  assert.deepEqual(rest(context, [{ share: 0.02, heapMiB: 200 }]), [0]);
});

test("nothing is done where Node was started without gc", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let reads = 0;
  const count = () => reads++;
  collectAtRest({ collect: null, readShare: count, readHeapBytes: count });
  context.mock.timers.tick(60_000);
  assert.equal(reads, 0);
});
