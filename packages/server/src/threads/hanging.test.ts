/** Threads of each kind in endless loops that are not plain code; the tests of each pool have those. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { createTestThreads, type HangingThread, startHangingThread } from "../../test/support/threads.ts";
import { createMonitoring, createOperations } from "../metrics.ts";
import { BEAT_MS } from "../rpc/watch.ts";
import { THREAD_KINDS } from "./kinds.ts";
import { createThreadPool } from "./pool.ts";
import type { StartWorker } from "./thread.ts";

const ECHO = `
const { parentPort } = require("node:worker_threads");
parentPort.postMessage("beat");
parentPort.on("message", (message) => {
  if (message === "end") process.exit();
  parentPort.postMessage({ id: message.id, value: message.value });
});`;

const NO_MODELS = {
  role: "all" as const,
  languageModel: null,
  tokenLimit: null,
  embedding: null,
  previousEmbedding: null,
  rerank: null,
  extraction: null,
  answer: null,
};

function setUp() {
  const threads = createTestThreads();
  const { metrics } = createOperations({
    store: {
      ping: async () => undefined,
      readCounts: async () => ({
        ...{ projects: 0, jobsPending: 0, jobsRunning: 0, jobsFailed: 0 },
        ...{ oldestJobAt: null, deliveriesWaiting: 0, oldestDeliveryAt: null, lockWaits: 0 },
      }),
    },
    faults: () => [],
    registration: null,
    checkQueries: async () => undefined,
    pools: null,
    monitoring: createMonitoring(NO_MODELS, threads.board),
    log: threads.deps.log,
    now: Date.now,
  });
  return { ...threads, readMetrics: async () => (await metrics()).text.split("\n") };
}

const HANGING = [
  ["query", "wasm"],
  ["merge", "wasm"],
  ["body", "regex"],
  ["suggest", "regex"],
  ["ingest", "regex"],
  ["embed", "regex"],
] as const;

for (const [name, loop] of HANGING) {
  test(`${name} thread, ${loop}: others answer meanwhile, metrics tell, and it is replaced`, async () => {
    const { deps, passSilence, readMetrics } = setUp();
    const echo = () => new Worker(ECHO, { eval: true });
    const started: HangingThread[] = [];
    const hang: StartWorker = (gates) => {
      const thread = startHangingThread(name, { loop, gates });
      started.push(thread);
      return thread.worker;
    };
    const startCrew = () => [started.length === 0 ? hang : echo];
    const pool = createThreadPool<string, string>({ ...THREAD_KINDS[name], pauseMs: 0 }, { startCrew }, deps);
    const otherKind = THREAD_KINDS[name === "body" ? "suggest" : "body"];
    const other = createThreadPool<string, string>(otherKind, { startCrew: () => [echo] }, deps);

    const hung = assert.rejects(pool.ask("a"), { name: "ThreadError", fault: "hung" });
    const hanging = started[0] ?? assert.fail();
    const exited = once(hanging.worker, "exit");
    await hanging.hangs;
    assert.ok((await readMetrics()).includes(`kcs_thread_requests_pending{kind="${name}"} 1`));
    assert.equal(await other.ask("b"), "b");
    passSilence(name);
    await hung;
    await exited;
    assert.ok((await readMetrics()).includes(`kcs_threads_replaced_total{kind="${name}",reason="hung"} 1`));
    assert.equal(await pool.ask("c"), "c");
    await Promise.all([pool.close(), other.close()]);
  });
}

/**
 * For less time than a thread may be silent that is not hurried. Between two beats the event loop turns: a sign of life that a thread
 * gave before it hung may arrive late.
 */
async function beatUntil(promise: Promise<unknown>, watch: { beat(): void }): Promise<void> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  for (let ms = 0; !isSettled && ms < 20_000; ms += BEAT_MS) {
    watch.beat();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await settled;
}

for (const name of ["query", "embed"] as const) {
  test(`a stop waits three seconds for a ${name} thread that hangs`, async () => {
    const { deps, board } = createTestThreads();
    const hanging: HangingThread[] = [];
    const start: StartWorker = (gates) => {
      const thread = startHangingThread(name, { gates });
      hanging.push(thread);
      return thread.worker;
    };
    const pool = createThreadPool<string, string>(THREAD_KINDS[name], { startCrew: () => [start] }, deps);
    const answer = assert.rejects(pool.ask("a"), { name: "ThreadError", fault: "hung" });
    await hanging[0]?.hangs;
    const closed = pool.close();
    await beatUntil(answer, deps.watch);
    await closed;
    assert.equal(hanging.length, 1, "no other thread is started");
    assert.equal(board.read(name, "alive"), 0);
  });
}

test("a hurried pool answers what its threads have, and refuses what waits for a thread that hangs", async () => {
  const { deps } = createTestThreads();
  const hanging = startHangingThread("embed");
  const kind = { ...THREAD_KINDS.embed, depth: 1 };
  const pool = createThreadPool<string, string>(kind, { startCrew: () => [() => hanging.worker] }, deps);
  const answers = ["a", "b"].map((text) => assert.rejects(pool.ask(text), { fault: "hung" }));
  await hanging.hangs;
  pool.hurry();
  await beatUntil(Promise.all(answers), deps.watch);
  await pool.close();
});
