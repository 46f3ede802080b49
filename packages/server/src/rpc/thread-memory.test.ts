import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { BroadcastChannel } from "node:worker_threads";
import { type MemoryReport, receiveMemory, watchMemory } from "./thread-memory.ts";

const MIB = 1024 * 1024;

interface Window {
  readonly share: number;
  readonly heapMiB: number;
}

function watch(context: TestContext, windows: readonly Window[], canCollect = true) {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let [at, collections] = [-1, 0];
  const told: MemoryReport[] = [];
  watchMemory("query", () => 7, {
    collect: canCollect ? () => void collections++ : null,
    readShare: () => windows[at]?.share ?? 1,
    readHeapBytes: () => (windows[at]?.heapMiB ?? 0) * MIB,
    tell: (report) => told.push(report),
  });
  const counts = windows.map(() => {
    at++;
    context.mock.timers.tick(20_000);
    return collections;
  });
  return { counts, told };
}

const busy = { share: 0.4, heapMiB: 80 };
const resting = { share: 0.003, heapMiB: 60 };

test("garbage is collected once when work has ended, and again after more work", (context) => {
  const { counts, told } = watch(context, [busy, busy, resting, resting, busy, { ...resting, heapMiB: 65 }]);
  assert.deepEqual(counts, [0, 0, 1, 1, 1, 2]);
  assert.deepEqual(
    told.map(({ heapBytes }) => heapBytes / MIB),
    [80, 80, 60, 60, 80, 65],
  );
  assert.deepEqual([told[0]?.thread, told[0]?.indexBytes], ["query", 7]);
});

test("a thread that works a little is left alone", (context) => {
  assert.deepEqual(watch(context, [{ share: 0.02, heapMiB: 200 }]).counts, [0]);
});

test("a thread that cannot collect tells its memory", (context) => {
  const { counts, told } = watch(context, [resting], false);
  assert.deepEqual([counts, told.length], [[0], 1]);
});

test("reports are received, the last of each thread, until it has told nothing for a minute", async () => {
  let now = 0;
  const reports = receiveMemory(() => now);
  const thread = new BroadcastChannel("kcs-thread-memory");
  const tell = async (threadId: number, heapBytes: number) => {
    const report: MemoryReport = { thread: "embed", threadId, heapBytes, indexBytes: 0 };
    thread.postMessage(report);
    while (!reports.read().some((each) => each.threadId === threadId && each.heapBytes === heapBytes))
      await sleep(1);
  };
  await tell(901, 1);
  await tell(902, 2);
  now = 50_000;
  await tell(901, 3);
  const told = () => reports.read().map(({ heapBytes }) => heapBytes);
  assert.deepEqual(told(), [3, 2]);
  now = 61_000;
  assert.deepEqual(told(), [3]);
  thread.close();
  reports.close();
});
