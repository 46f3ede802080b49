import assert from "node:assert/strict";
import perfHooks from "node:perf_hooks";
import { type TestContext, test } from "node:test";
import { isFirst } from "./domain/service-process.ts";
import { createOperationsApp } from "./http/operations-app.ts";
import { createMonitoring, createOperations } from "./metrics.ts";
import { StoreUnavailableError } from "./ports/store.ts";
import { createThreadBoard } from "./threads/board.ts";

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

const counts = {
  ...{ projects: 1, jobsPending: 7, jobsRunning: 0, jobsFailed: 0 },
  ...{ oldestJobAt: null, deliveriesWaiting: 0, oldestDeliveryAt: null, lockWaits: 0 },
};

function setUp(now = () => 0, ping = async (): Promise<void> => undefined, pingLimitMs = 60_000) {
  const board = createThreadBoard();
  const monitoring = createMonitoring(NO_MODELS, board);
  const operations = createOperations({
    store: {
      ping,
      readCounts: async () => counts,
    },
    faults: () => [],
    registration: null,
    checkQueries: async () => undefined,
    pools: null,
    monitoring,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    now,
    pingLimitMs,
  });
  return { board, monitoring, operations };
}

test("one of the running processes counts the queue, and another one when it has ended", async () => {
  const running = new Set(["b", "a", "c"]);
  const counted: string[] = [];
  const show = async (own: string) => {
    const operations = createOperations({
      store: {
        ping: async () => undefined,
        readCounts: async () => {
          counted.push(own);
          return counts;
        },
      },
      registration: {
        running: () => [],
        differences: () => [],
        isOlder: () => false,
        fault: () => null,
        isWorkLeft: async () => true,
        isReporter: () =>
          isFirst(
            { processId: own },
            [...running].map((processId) => ({ processId })),
          ),
      },
      faults: () => [],
      checkQueries: async () => undefined,
      pools: null,
      monitoring: createMonitoring(NO_MODELS, createThreadBoard()),
      log: { debug() {}, info() {}, warn() {}, error() {} },
      now: () => 0,
    });
    const { text } = await operations.metrics();
    const sent = (await operations.samples()).map(({ name }) => name);
    assert.equal(sent.includes("kcs_jobs_pending"), text.includes("kcs_jobs_pending 7"));
    assert.equal(text.includes("kcs_jobs_without_worker 1"), text.includes("kcs_jobs_pending 7"));
    assert.match(text, /^kcs_processes 0$/m);
  };
  for (const own of running) await show(own);
  running.delete("a");
  for (const own of running) await show(own);
  assert.deepEqual(counted, ["a", "a", "b", "b"]);
});

test("threads are counted by kind, and replaced ones by reason", async () => {
  const { board, operations } = setUp();
  board.add("query", "alive", 4);
  board.add("query", "pending", 2);
  board.add("embed", "hung", 1);
  board.add("merge", "died", 3);
  board.add("merge", "stuck", 1);
  for (const scrape of ["first", "second"]) {
    const { text } = await operations.metrics();
    const lines = text.split("\n").filter((line) => /^kcs_thread.* [1-9]/.test(line));
    const expected = [
      'kcs_threads{kind="query"} 4',
      'kcs_thread_requests_pending{kind="query"} 2',
      'kcs_threads_stuck{kind="merge"} 1',
      'kcs_threads_replaced_total{kind="embed",reason="hung"} 1',
      'kcs_threads_replaced_total{kind="merge",reason="died"} 3',
    ];
    assert.deepEqual(lines, expected, scrape);
  }
  board.forgetThreadsOf("ingest");
  assert.deepEqual([board.read("merge", "died"), board.read("query", "alive")], [3, 4]);
});

test("a database that does not answer is told in words, without what the error says of this machine", async () => {
  for (const [error, told] of [
    [
      new Error("connect ECONNREFUSED 10.0.0.5:5432"),
      "The database does not answer; the service's log has the cause.",
    ],
    [new StoreUnavailableError("disk_full", "The disk is full.", null), "The disk is full."],
  ] as const) {
    const { operations } = setUp(undefined, () => Promise.reject(error));
    assert.deepEqual(await operations.faults(), [told]);
  }
});

test("a database that never answers makes the service unready after the limit", async () => {
  const { operations } = setUp(undefined, () => new Promise(() => undefined), 20);
  assert.deepEqual(await operations.faults(), ["The database has not answered for 0.02 seconds."]);
});

test("after a write that found the disk full the service is not ready for a minute", async () => {
  let now = 0;
  const { operations } = setUp(() => now);
  operations.storeFailed(new StoreUnavailableError("connection_lost", "The server is away.", null));
  assert.deepEqual(await operations.faults(), []);
  operations.storeFailed(new StoreUnavailableError("disk_full", "The disk is full.", null));
  now = 59_999;
  assert.deepEqual(await operations.faults(), ["The disk is full."]);
  now = 60_000;
  assert.deepEqual(await operations.faults(), []);
});

test("calls that the store failed are counted by reason, and one of a single object leaves the service ready", async () => {
  const { operations } = setUp();
  for (const reason of ["segment_object", "segment_object", "busy"] as const)
    operations.storeFailed(new StoreUnavailableError(reason, "Later.", null));
  assert.deepEqual(await operations.faults(), []);
  const { text } = await operations.metrics();
  assert.match(text, /^kcs_store_failed_calls_total\{reason="segment_object"\} 2$/m);
  assert.match(text, /^kcs_store_failed_calls_total\{reason="busy"\} 1$/m);
});

test("what is written after the disk was full says at once that it no longer is", async () => {
  const { operations, monitoring } = setUp();
  operations.storeFailed(new StoreUnavailableError("disk_full", "The disk is full.", null));
  assert.deepEqual(await operations.faults(), ["The disk is full."]);
  monitoring.storeStatus.wrote();
  assert.deepEqual(await operations.faults(), []);
});

test("a database that was found damaged is a fault until the next start, told once", async () => {
  let now = 0;
  const damaged = new StoreUnavailableError("damaged", "The database file is damaged.", null);
  let answer: Promise<void> = Promise.resolve();
  const { operations } = setUp(
    () => now,
    () => answer,
  );
  operations.storeFailed(damaged);
  now = 3_600_000;
  assert.deepEqual(await operations.faults(), ["The database file is damaged."]);
  answer = Promise.reject(damaged);
  assert.deepEqual(await operations.faults(), ["The database file is damaged."]);
});

test("several faults are told as sentences, one after the other", async () => {
  const { operations } = setUp();
  const faults = ["The database does not answer. ", "Questions cannot be answered: a thread hung", "Wait."];
  const app = createOperationsApp({
    operations: { ...operations, faults: async () => faults },
    log: { debug() {}, info() {}, warn: () => true, error: () => true },
    metricsToken: null,
    publicUrl: "http://127.0.0.1",
  });
  const { statusCode, body } = await app.inject({ url: "/ready" });
  assert.deepEqual(
    [statusCode, JSON.parse(body)],
    [503, { detail: "The database does not answer. Questions cannot be answered: a thread hung. Wait." }],
  );
});

/** A histogram of the delays that the test records, in place of the system's. */
function fakeDelays(context: TestContext) {
  let delaysMs: number[] = [];
  const resolutions: (number | undefined)[] = [];
  const ns = (ms: number) => ms * 1e6;
  const histogram = {
    enable: () => true,
    reset() {
      delaysMs = [];
    },
    percentile: (share: number) =>
      ns(delaysMs.toSorted((a, b) => a - b)[Math.ceil((share / 100) * delaysMs.length) - 1] ?? 0),
    get min() {
      return ns(Math.min(...delaysMs));
    },
    get max() {
      return ns(Math.max(0, ...delaysMs));
    },
    mean: 0,
    stddev: 0,
  };
  context.mock.method(perfHooks, "monitorEventLoopDelay", (options: { resolution?: number }) => {
    resolutions.push(options.resolution);
    return histogram as unknown as ReturnType<typeof perfHooks.monitorEventLoopDelay>; // What the library uses of it.
  });
  return { record: (ms: number) => void delaysMs.push(ms), resolutions };
}

test("the event loop's delay in the metrics is that since the scrape before, measured every 10 ms", async (context) => {
  const delays = fakeDelays(context);
  const { operations } = setUp();
  const scrape = async () => {
    const { text } = await operations.metrics();
    return ["p99", "max"].map((quantile) =>
      Number(new RegExp(`^nodejs_eventloop_lag_${quantile}_seconds (\\S+)$`, "m").exec(text)?.[1]),
    );
  };
  for (const ms of [10, 11, 300]) delays.record(ms);
  assert.deepEqual(await scrape(), [0.3, 0.3]);
  for (const ms of [10, 12]) delays.record(ms);
  assert.deepEqual(await scrape(), [0.012, 0.012]);
  assert.deepEqual(delays.resolutions, [10]);
});

// https://prometheus.io/docs/practices/naming/#metric-names
test("only counters have names that end in _total", async () => {
  const { text } = await setUp().operations.metrics();
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", kind]) => ({ name, kind }));
  const isTotal = ({ name }: { name: string }) => name.endsWith("_total");
  assert.deepEqual([...new Set(kinds.filter(isTotal).map(({ kind }) => kind))], ["counter"]);
});
