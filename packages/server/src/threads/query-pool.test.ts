/** The pool over threads that answer with their number: this file is what they run, too. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { createTestThreads } from "../../test/support/threads.ts";
import { ServiceError } from "../domain/errors.ts";
import type { Answer, Question } from "../domain/query.ts";
import { BEAT_MS } from "../rpc/watch.ts";
import { stuckFault } from "./board.ts";
import { THREAD_KINDS } from "./kinds.ts";
import { createNativeSection } from "./native-gate.ts";
import type { QueryThreadReply, QueryThreadRequest } from "./query-messages.ts";
import { startQueryPool } from "./query-pool.ts";
import { serveThread } from "./serve-thread.ts";

interface ThreadData {
  /** "crew/thread" */
  readonly name: string;
  /** Its word is 1 when questions that are held are to be answered. */
  readonly gate: Int32Array;
  /** It is not ready before the gate is open. */
  readonly isSlow: boolean;
  /** Its word is 1 when a thread has run into its endless loop. */
  readonly looping: Int32Array;
  readonly gates: readonly SharedArrayBuffer[];
}

type Query = "hold" | "tell" | "die" | "loop" | "loop in native code";

function answerOf(name: string): Answer {
  return { strategyUsed: "hybrid", summary: name, entities: [], relationships: [], chunks: [] };
}

async function serve({ name, gate, isSlow, looping, gates }: ThreadData): Promise<void> {
  const native = createNativeSection(gates);
  const loop = (): never => {
    Atomics.store(looping, 0, 1);
    Atomics.notify(looping, 0);
    for (;;);
  };
  await serveThread<QueryThreadRequest, QueryThreadReply>("query", async () => {
    // The wait alone would not keep the thread alive.
    const alive = setInterval(() => undefined, 1_000);
    if (isSlow) await Atomics.waitAsync(gate, 0, 0).value;
    clearInterval(alive);
    native.leave();
    return {
      async answer(request) {
        const asked = "question" in request ? request.question : request;
        const query = "query" in asked ? asked.query : "";
        if (query === "hold") await Atomics.waitAsync(gate, 0, 0).value;
        if (query === "die") process.exit(1);
        if (query === "loop") loop();
        if (query === "loop in native code") await native.run(() => new Promise(() => setImmediate(loop)));
        return answerOf(name);
      },
    };
  });
}

const ask = (query: Query, accountId: string): Question => ({
  projectId: "p",
  accountId,
  query,
  mode: "static",
  topK: 5,
  filter: { sourceDocIds: null, metadata: [] },
});

function createPool(threads: number, slow: readonly number[] = [], endLimitMs?: number) {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const looping = new Int32Array(new SharedArrayBuffer(4));
  const test = createTestThreads(endLimitMs);
  const workers: Worker[] = [];
  let crews = 0;
  const pool = startQueryPool(() => {
    const crew = crews++;
    return Array.from({ length: threads }, (_, thread) => (gates: readonly SharedArrayBuffer[]) => {
      const isSlow = slow.includes(thread);
      const data: ThreadData = { name: `${crew}/${thread}`, gate, isSlow, looping, gates };
      const worker = new Worker(new URL(import.meta.url), { workerData: data });
      workers.push(worker);
      return worker;
    });
  }, test.deps);
  const names = () => test.logged.map(([event]) => event);
  return {
    ...test,
    pool,
    workers,
    names,
    crews: () => crews,
    open() {
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
    },
    async loops() {
      await Atomics.waitAsync(looping, 0, 0).value;
      Atomics.store(looping, 0, 0);
    },
    async tell(query: Query, account = "a", signal: AbortSignal | null = null) {
      const answer = await pool.answer(ask(query, account), null, signal);
      assert.ok(answer === null || "summary" in answer);
      return answer?.summary;
    },
  };
}

const isUnavailable = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ServiceError);
  assert.equal(error.kind, "unavailable");
  assert.match(error.message, pattern);
  assert.equal(error.retryAfterSeconds, 1);
  return true;
};

function addTests(): void {
  test("each question goes to the thread with the fewest open ones", async () => {
    const { pool, tell, open } = createPool(3);
    const held = [tell("hold"), tell("hold"), tell("hold"), tell("hold")];
    open();
    const names = await Promise.all(held);
    assert.deepEqual(new Set(names), new Set(["0/0", "0/1", "0/2"]));
    assert.equal(pool.fault(), null);
    await pool.close();
  });

  test("a question that waits is dropped when nobody waits for its answer, one that a thread has is not", async () => {
    const { tell, open, pool, board } = createPool(1);
    const disconnected = new AbortController();
    const held = Array.from({ length: 2 }, () => tell("hold", "a", disconnected.signal));
    const waiting = tell("tell", "a", disconnected.signal);
    disconnected.abort(new Error("gone"));
    await assert.rejects(waiting, /gone/);
    await assert.rejects(tell("tell", "a", disconnected.signal), /gone/);
    assert.equal(board.read("query", "pending"), 2);
    open();
    assert.deepEqual(await Promise.all(held), ["0/0", "0/0"]);
    assert.equal(await tell("tell"), "0/0");
    await pool.close();
  });

  test("as long as one thread alone is ready it is asked, and the pool has no fault", async () => {
    const { pool, tell, open } = createPool(2, [1]);
    assert.match(pool.fault() ?? "", /being loaded/);
    assert.equal(await tell("tell"), "0/0");
    assert.equal(pool.fault(), null);
    const held = [tell("hold"), tell("hold"), tell("hold")];
    open();
    assert.deepEqual(await Promise.all(held), ["0/0", "0/0", "0/0"]);
    await pool.close();
  });

  test("a thread that dies fails its questions with a reason, the others finish theirs, a new crew follows", async (t) => {
    t.mock.timers.enable({ apis: ["Date"] });
    const { pool, tell, open, names, board } = createPool(2);
    const held = tell("hold");
    await assert.rejects(tell("die"), isUnavailable(/^Questions cannot be answered: a query thread ended$/));
    assert.match(pool.fault() ?? "", /^Questions cannot be answered/);
    await assert.rejects(tell("tell"), isUnavailable(/^Questions cannot be answered/));
    assert.deepEqual(names(), ["query_threads_gone"]);
    assert.deepEqual([board.read("query", "died"), board.read("query", "hung")], [1, 0]);
    open();
    assert.equal(await held, "0/0");
    t.mock.timers.tick(1_999);
    await assert.rejects(tell("tell"), isUnavailable(/^Questions cannot be answered/));
    t.mock.timers.tick(1);
    const answered = await Promise.all([tell("tell"), tell("tell")]);
    assert.deepEqual(new Set(answered), new Set(["1/0", "1/1"]));
    assert.equal(pool.fault(), null);
    await pool.close();
  });

  test("a fresh crew follows by itself, although a timer may fire before the clock shows that the pause is over", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { pool, tell, crews } = createPool(1);
    await assert.rejects(tell("die"), isUnavailable(/a query thread ended/));
    t.mock.timers.tick(2_000);
    assert.equal(crews(), 2);
    t.mock.timers.reset();
    await pool.close();
  });

  test("more open questions than the pool takes are refused", async () => {
    const { pool, tell, open } = createPool(1);
    const held = Array.from({ length: 256 }, () => tell("hold").catch(() => "refused"));
    await assert.rejects(tell("tell"), isUnavailable(/^Too many questions wait/));
    open();
    assert.ok((await Promise.all(held)).includes("0/0"));
    await pool.close();
  });

  test("who closes the pool waits for the questions that were asked, and no more are taken", async () => {
    const { pool, tell, open } = createPool(2);
    const held = [tell("hold"), tell("hold")];
    let isClosed = false;
    const closed = pool.close().then(() => {
      isClosed = true;
    });
    await assert.rejects(tell("tell"), isUnavailable(/./));
    assert.equal(isClosed, false);
    open();
    assert.deepEqual(await Promise.all(held), ["0/0", "0/1"]);
    await closed;
    await pool.close();
  });
}

function addWatchTests(): void {
  test("a thread that hangs fails its questions, and a fresh crew follows; one thread is enough", async (t) => {
    t.mock.timers.enable({ apis: ["Date", "setTimeout"] });
    const { pool, tell, loops, passSilence, board, logged, workers } = createPool(1);
    assert.equal(await tell("tell"), "0/0");
    const hung = assert.rejects(tell("loop"), isUnavailable(/a query thread hung/));
    const behind = assert.rejects(tell("tell"), isUnavailable(/a query thread hung/));
    await loops();
    const exited = once(workers[0] ?? assert.fail(), "exit");
    assert.equal(pool.fault(), null);
    passSilence("query");
    await Promise.all([hung, behind]);
    assert.match(pool.fault() ?? "", /^Questions cannot be answered: a query thread hung/);
    await exited; // The endless loop was ended.
    t.mock.timers.tick(2_000);
    assert.match(pool.fault() ?? "", /a query thread hung/, "the new thread is not ready yet");
    assert.equal(await tell("tell"), "1/0");
    assert.equal(pool.fault(), null);
    assert.deepEqual(
      logged.map(([event, { thread }]) => [event, thread]),
      [["thread_hung", "query"]],
    );
    assert.deepEqual(
      (["alive", "hung", "died", "stuck"] as const).map((column) => board.read("query", column)),
      [1, 1, 0, 0],
    );
    await pool.close();
  });

  test("the other threads of a crew answer what they have, in the old memory", async () => {
    const { pool, tell, open, loops, deps, workers, crews } = createPool(2);
    await Promise.all(workers.map((worker) => once(worker, "message"))); // Both are ready.
    const hung = assert.rejects(tell("loop"), isUnavailable(/hung/));
    const held = tell("hold");
    await loops();
    for (let ms = 0; ms <= THREAD_KINDS.query.silenceMs; ms += BEAT_MS) {
      const alive = once(workers[1] ?? assert.fail(), "message");
      deps.watch.beat();
      await alive;
    }
    await Promise.all([hung]);
    open();
    assert.equal(await held, "0/1");
    assert.equal(crews(), 1);
    await pool.close();
  });

  test("a thread that hangs in native code is not ended, but replaced; after two the service must be restarted", async (t) => {
    t.mock.timers.enable({ apis: ["Date"] });
    const { pool, tell, loops, passSilence, board, names, workers } = createPool(1, [], 1);
    t.after(() => Promise.all(workers.map((worker) => worker.terminate())));
    for (let stuck = 1; stuck <= 2; stuck++) {
      assert.equal(await tell("tell"), `${stuck - 1}/0`);
      assert.equal(stuckFault(board), null);
      const hung = assert.rejects(tell("loop in native code"), isUnavailable(/hung/));
      await loops();
      passSilence("query");
      await hung;
      while (board.read("query", "stuck") < stuck) await nextTurn();
      t.mock.timers.tick(2_000);
    }
    assert.match(stuckFault(board) ?? "", /query.*Restart the service/);
    assert.equal(workers.length, 2);
    await assert.rejects(tell("tell"), isUnavailable(/2 query threads hang .*Restart the service/));
    assert.match(pool.fault() ?? "", /Restart the service/);
    assert.equal(workers.length, 2, "no third thread is started");
    assert.deepEqual(names().slice(0, 4), [
      "thread_hung",
      "thread_not_ended",
      "thread_hung",
      "thread_not_ended",
    ]);
    await pool.close();
  });

  test("questions that wait for a thread have turns by account", async () => {
    const { pool, tell, open } = createPool(1);
    assert.equal(await tell("tell"), "0/0");
    const order: string[] = [];
    const asked = (account: string) => tell("hold", account).then(() => order.push(account));
    const held = [..."aaaaaaaa", "b"].map(asked);
    open();
    await Promise.all(held);
    // Three of one account are at the thread, the fourth place is another's.
    assert.ok(order.indexOf("b") <= 3, order.join(""));
    assert.equal(order.length, 9);
    await pool.close();
  });

  test("a question that is not answered in time fails, its place goes to the next one, and several are a fault until one is answered", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { pool, tell, open, board } = createPool(1);
    assert.equal(await tell("tell"), "0/0");
    const late = Array.from({ length: 5 }, () =>
      assert.rejects(tell("hold"), isUnavailable(/not answered in time/)),
    );
    assert.equal(board.read("query", "pending"), 5);
    t.mock.timers.tick(30_000);
    await Promise.all(late);
    assert.equal(board.read("query", "pending"), 0);
    assert.equal(pool.fault(), "Questions are not answered in time.");
    assert.equal(await tell("tell"), "0/0");
    assert.equal(pool.fault(), null);
    open();
    await pool.close();
  });

  for (const [name, told] of [
    ["Error", /^Questions cannot be answered: a query thread failed; the service's log has the cause$/],
    ["ModelUnavailableError", /^Questions cannot be answered: model.onnx is missing. Run npm install.$/],
  ] as const)
    test(`a thread that fails with ${name} tells no path of this machine, but logs it`, async () => {
      const { deps, logged } = createTestThreads();
      const message = "/srv/data/model.onnx is missing. Run npm install.";
      const failing = `throw Object.assign(new Error("${message}"), { name: "${name}" })`;
      const pool = startQueryPool(() => [() => new Worker(failing, { eval: true })], deps);
      const question = { query: "hold", accountId: "a" } as Question; // No thread reads it.
      await assert.rejects(pool.answer(question, null, null), isUnavailable(told));
      assert.match(String(pool.fault()), told);
      const [gone] = logged.filter(([event]) => event === "query_threads_gone");
      assert.match(String(gone?.[1]["error"]), /\/srv\/data\/model.onnx/);
      await pool.close();
    });

  test("where a thread of a crew cannot be started, those before it are ended and the fault rises", async () => {
    const workers: Worker[] = [];
    const { deps } = createTestThreads();
    const start = () => {
      const worker = new Worker(DYING, { eval: true });
      workers.push(worker);
      return worker;
    };
    const refuse = () => {
      throw new Error("no more threads");
    };
    assert.throws(() => startQueryPool(() => [start, start, refuse, start], deps), /no more threads/);
    assert.equal(workers.length, 2);
    // An error that nobody listened to would end this process.
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once("exit", resolve))));
  });
}

/** Serves nothing, and dies when it is asked to end. */
const DYING = `require("node:worker_threads").parentPort.on("message", () => { throw new Error("dying"); })`;

if (isMainThread) {
  addTests();
  addWatchTests();
} else await serve(workerData as ThreadData); // Given by `createPool`.
