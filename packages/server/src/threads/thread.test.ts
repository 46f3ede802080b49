import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { createTestThreads } from "../../test/support/threads.ts";
import { THREAD_KINDS } from "./kinds.ts";
import { startThread, type ThreadDeps } from "./thread.ts";

/** Sends the request as an event before it answers with it. */
const TELLING_ECHO = `
const { parentPort } = require("node:worker_threads");
parentPort.postMessage("beat");
parentPort.on("message", (message) => {
  if (message === "end") process.exit();
  parentPort.postMessage({ event: message.value });
  parentPort.postMessage({ id: message.id, value: message.value });
});`;

test("what a listener throws at an event of a thread is logged, and the thread goes on", async () => {
  const { deps, logged } = createTestThreads();
  const told: string[] = [];
  const lost: unknown[] = [];
  const thread = startThread<string, string, string>(
    THREAD_KINDS.body,
    {
      start: () => new Worker(TELLING_ECHO, { eval: true }),
      onEvent(event) {
        told.push(event);
        if (event === "wrong") throw new Error("It is not possible to count this.");
      },
      onLost: (error) => void lost.push(error),
    },
    deps,
  );
  assert.deepEqual([await thread.rpc.call("wrong"), await thread.rpc.call("right")], ["wrong", "right"]);
  await thread.rpc.drained();
  await thread.end();
  assert.deepEqual([told, lost], [["wrong", "right"], []]);
  assert.deepEqual(
    logged.map(([event, { error }]) => [event, String(error)]),
    [["listener_failed", "Error: It is not possible to count this."]],
  );
});

test("what a thread tells is handled outside of the request that started it", async () => {
  const request = new AsyncLocalStorage<string>();
  const outside = AsyncLocalStorage.snapshot();
  const handledIn: unknown[] = [];
  const start = (deps: Pick<ThreadDeps, "outside">) =>
    request.run("request", () =>
      startThread<string, string, string>(
        THREAD_KINDS.body,
        {
          start: () => new Worker(TELLING_ECHO, { eval: true }),
          onEvent: () => void handledIn.push(request.getStore()),
          onLost: () => undefined,
        },
        { ...createTestThreads().deps, ...deps },
      ),
    );
  for (const thread of [start({ outside }), start({})]) {
    await thread.rpc.call("told");
    await thread.end();
  }
  assert.deepEqual(handledIn, [undefined, "request"]);
});
