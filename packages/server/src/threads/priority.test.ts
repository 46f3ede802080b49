/** Priorities of threads: this file is the thread whose priority is lowered, too. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readlinkSync } from "node:fs";
import { getPriority } from "node:os";
import { test } from "node:test";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { lowerThreadPriority } from "./priority.ts";

function addTests(): void {
  test("a thread lowers its own priority and no other's, or says why it cannot", async () => {
    const before = getPriority();
    const worker = new Worker(new URL(import.meta.url));
    const [{ reason, priority }] = await once(worker, "message");
    if (process.platform === "linux") assert.deepEqual({ reason, priority }, { reason: null, priority: 10 });
    else assert.ok(reason);
    assert.equal(getPriority(), before);
  });
}

function lower() {
  const reason = lowerThreadPriority();
  if (reason !== null) return { reason, priority: null };
  const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  return { reason, priority: getPriority(thread) };
}

if (isMainThread) addTests();
else parentPort?.postMessage(lower());
