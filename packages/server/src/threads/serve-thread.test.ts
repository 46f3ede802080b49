/** Threads of low priority: this file is such a thread, too. */
import assert from "node:assert/strict";
import { readlinkSync } from "node:fs";
import { getPriority } from "node:os";
import { test } from "node:test";
import { isMainThread, Worker } from "node:worker_threads";
import { createTestThreads } from "../../test/support/threads.ts";
import { THREAD_KINDS } from "./kinds.ts";
import { serveThread } from "./serve-thread.ts";
import { startThread } from "./thread.ts";

const isLinux = process.platform === "linux";

/** The niceness of the calling thread; null where threads have none. */
function niceness(): number | null {
  if (!isLinux) return null;
  return getPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)));
}

function addTests(): void {
  test("a thread of low priority opens and answers its first request at normal priority, so that nobody waits for its start", async () => {
    const { deps } = createTestThreads();
    const callbacks = {
      start: () => new Worker(new URL(import.meta.url)),
      onLost: assert.fail,
      onEvent: assert.fail,
    };
    const thread = startThread<null, readonly (number | null)[], never>(THREAD_KINDS.merge, callbacks, deps);
    const own = niceness();
    assert.deepEqual(await thread.rpc.call(null), [own, own]);
    assert.deepEqual(await thread.rpc.call(null), [own, isLinux ? 10 : null]);
    assert.equal(niceness(), own);
    await thread.end();
  });
}

if (isMainThread) addTests();
else
  await serveThread<null, readonly (number | null)[]>("merge", () => {
    const opened = niceness();
    return { answer: () => [opened, niceness()] };
  });
