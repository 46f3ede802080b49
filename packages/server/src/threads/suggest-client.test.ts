import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { createSuggestThread } from "./suggest-client.ts";

/** Answers each use case with itself as the reason; "die" ends the thread. */
const ECHO = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ id, value }) => {
  if (value === "die") process.exit(1);
  parentPort.postMessage({ id, value: { kind: "nothing", reason: value } });
});`;

function setUp(idleMs = 30_000) {
  const workers: Worker[] = [];
  const thread = createSuggestThread({
    idleMs,
    startWorker() {
      const worker = new Worker(ECHO, { eval: true });
      workers.push(worker);
      return worker;
    },
  });
  return { thread, workers };
}

test("one thread starts with the first use case and answers those that follow", async () => {
  const { thread, workers } = setUp();
  assert.equal(workers.length, 0);
  assert.deepEqual(await Promise.all(["a", "b"].map(thread.suggest)), [
    { kind: "nothing", reason: "a" },
    { kind: "nothing", reason: "b" },
  ]);
  assert.equal(workers.length, 1);
  await thread.close();
});

test("a thread that dies fails what it had as unavailable, and the next use case starts another", async () => {
  const { thread, workers } = setUp();
  await assert.rejects(thread.suggest("die"), { name: "ServiceError", kind: "unavailable" });
  assert.deepEqual(await thread.suggest("a"), { kind: "nothing", reason: "a" });
  assert.equal(workers.length, 2);
  await thread.close();
});

test("an idle thread ends, and a closed one starts no more", async () => {
  const { thread, workers } = setUp(1);
  await thread.suggest("a");
  const [worker] = workers;
  assert.ok(worker);
  await once(worker, "exit");
  assert.deepEqual(await thread.suggest("b"), { kind: "nothing", reason: "b" });
  await thread.close();
  await assert.rejects(thread.suggest("c"), { kind: "unavailable" });
});

test("more use cases than can wait are refused", async () => {
  const { thread } = setUp();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 70 }, (_, at) => thread.suggest(String(at))),
  );
  assert.equal(outcomes.filter(({ status }) => status === "rejected").length, 6);
  await thread.close();
});
