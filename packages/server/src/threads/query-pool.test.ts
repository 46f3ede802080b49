/** The pool over threads that answer with their number: this file is what they run, too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { ServiceError } from "../domain/errors.ts";
import type { Answer, Question } from "../domain/query.ts";
import type { Log } from "../ports/log.ts";
import { startQueryPool } from "./query-pool.ts";
import type { QueryThreadReply, QueryThreadRequest } from "./query-thread.ts";
import { serveRpc } from "./rpc.ts";

interface ThreadData {
  /** "crew/thread" */
  readonly name: string;
  /** Its word is 1 when questions that are held are to be answered. */
  readonly gate: Int32Array;
  /** It is not ready before the gate is open. */
  readonly isSlow: boolean;
}

function answerOf(name: string): Answer {
  return { strategyUsed: "hybrid", summary: name, entities: [], relationships: [], chunks: [] };
}

function serve(port: NonNullable<typeof parentPort>, { name, gate, isSlow }: ThreadData): void {
  serveRpc<QueryThreadRequest, QueryThreadReply>(port, async (request) => {
    if (request === "ready" ? isSlow : request.question.query === "hold")
      await Atomics.waitAsync(gate, 0, 0).value;
    if (request === "ready") return null;
    if (request.question.query === "die") process.exit(1);
    return answerOf(name);
  });
}

const ask = (query: "hold" | "tell" | "die"): Question => ({
  projectId: "p",
  accountId: "a",
  query,
  mode: "static",
  topK: 5,
  filter: { sourceDocIds: null, metadata: [] },
});

function createPool(threads: number, slow: readonly number[] = []) {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const logged: string[] = [];
  const record = (event: string) => void logged.push(event);
  const log: Log = { debug: record, info: record, warn: record, error: record };
  let crews = 0;
  const pool = startQueryPool(() => {
    const crew = crews++;
    return Array.from({ length: threads }, (_, thread) => {
      const data: ThreadData = { name: `${crew}/${thread}`, gate, isSlow: slow.includes(thread) };
      return new Worker(new URL(import.meta.url), { workerData: data });
    });
  }, log);
  return {
    pool,
    logged,
    open() {
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
    },
    async tell(query: "hold" | "tell" | "die") {
      const answer = await pool.answer(ask(query), null);
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
    const { pool, tell, open, logged } = createPool(2);
    const held = tell("hold");
    await assert.rejects(tell("die"), isUnavailable(/^Questions cannot be answered: a query thread ended$/));
    assert.match(pool.fault() ?? "", /^Questions cannot be answered/);
    await assert.rejects(tell("tell"), isUnavailable(/^Questions cannot be answered/));
    assert.deepEqual(logged, ["query_threads_gone"]);
    open();
    assert.equal(await held, "0/0");
    t.mock.timers.tick(1_999);
    await assert.rejects(tell("tell"), isUnavailable(/^Questions cannot be answered/));
    t.mock.timers.tick(1);
    const names = await Promise.all([tell("tell"), tell("tell")]);
    assert.deepEqual(new Set(names), new Set(["1/0", "1/1"]));
    assert.equal(pool.fault(), null);
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

if (isMainThread) addTests();
else if (parentPort !== null) serve(parentPort, workerData as ThreadData); // Given by `createPool`.
