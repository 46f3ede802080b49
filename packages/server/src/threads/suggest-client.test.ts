import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { createTestThreads, startHangingThread } from "../../test/support/threads.ts";
import { THREAD_KINDS } from "./kinds.ts";
import { createSuggestThread } from "./suggest-client.ts";

/** Answers each use case with itself as the reason; "die" ends the thread, "hold" has no answer. */
const ECHO = `
const { parentPort } = require("node:worker_threads");
parentPort.postMessage("beat");
parentPort.on("message", ({ id, value }) => {
  if (value === "die") process.exit(1);
  if (value === "hold") return;
  parentPort.postMessage({ id, value: { kind: "nothing", reason: value } });
});`;

const by = (account: string) => ({ account, signal: null });

function setUp(idleMs = 30_000) {
  const workers: Worker[] = [];
  const thread = createSuggestThread(createTestThreads().deps, {
    kind: { ...THREAD_KINDS.suggest, idleMs },
    start() {
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
  assert.deepEqual(await Promise.all(["a", "b"].map((useCase) => thread.suggest(useCase, by("one")))), [
    { kind: "nothing", reason: "a" },
    { kind: "nothing", reason: "b" },
  ]);
  assert.equal(workers.length, 1);
  await thread.close();
});

test("a thread that dies fails what it had as unavailable, and the next use case starts another", async () => {
  const { thread, workers } = setUp();
  const refused = { name: "ServiceError", kind: "unavailable", retryAfterSeconds: 1 };
  await assert.rejects(thread.suggest("die", by("one")), refused);
  assert.deepEqual(await thread.suggest("a", by("one")), { kind: "nothing", reason: "a" });
  assert.equal(workers.length, 2);
  await thread.close();
});

test("an idle thread ends, and a closed one starts no more", async () => {
  const { thread, workers } = setUp(1);
  await thread.suggest("a", by("one"));
  const [worker] = workers;
  assert.ok(worker);
  await once(worker, "exit");
  assert.deepEqual(await thread.suggest("b", by("one")), { kind: "nothing", reason: "b" });
  await thread.close();
  await assert.rejects(thread.suggest("c", by("one")), { kind: "unavailable" });
});

test("more use cases than can wait are refused", async () => {
  const { thread } = setUp();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 70 }, (_, at) => thread.suggest(String(at), by("one"))),
  );
  assert.equal(outcomes.filter(({ status }) => status === "rejected").length, 6);
  await thread.close();
});

test("use cases have turns by account", async () => {
  const { thread } = setUp();
  const order: string[] = [];
  const asked = [..."aaaa", "b"].map(async (account) => {
    await thread.suggest("x", by(account));
    order.push(account);
  });
  await Promise.all(asked);
  // The first is at the thread before the others have their turns.
  assert.equal(order.join(""), "aabaa");
  await thread.close();
});

test("a use case that is not answered in time fails, and its place goes to the next one", async (context) => {
  const { thread } = setUp();
  await thread.suggest("a", by("one"));
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const held = assert.rejects(thread.suggest("hold", by("one")), {
    kind: "unavailable",
    message: "The suggestion was not made in time. Try again.",
  });
  context.mock.timers.tick(1);
  const next = thread.suggest("b", by("two"));
  context.mock.timers.tick(29_999);
  await held;
  context.mock.timers.reset();
  assert.deepEqual(await next, { kind: "nothing", reason: "b" });
  await thread.close();
});

test("a thread that hangs is ended, fails what it had as unavailable, and is replaced", async () => {
  const { deps, board, logged, passSilence } = createTestThreads();
  const first = startHangingThread("suggest");
  const starts = [() => first.worker, () => new Worker(ECHO, { eval: true })];
  const thread = createSuggestThread(deps, { start: () => (starts.shift() ?? assert.fail)() });
  const exited = once(first.worker, "exit");
  const hung = assert.rejects(thread.suggest("a", by("one")), { name: "ServiceError", kind: "unavailable" });
  await first.hangs;
  passSilence("suggest");
  await hung;
  assert.deepEqual(await thread.suggest("b", by("one")), { kind: "nothing", reason: "b" });
  await exited;
  assert.deepEqual([board.read("suggest", "hung"), board.read("suggest", "alive")], [1, 1]);
  assert.deepEqual(
    logged.map(([event]) => event),
    ["thread_hung"],
  );
  await thread.close();
});
