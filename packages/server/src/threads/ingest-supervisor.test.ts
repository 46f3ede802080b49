import assert from "node:assert/strict";
import { once } from "node:events";
import { mock, test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import {
  createTestThreads,
  type HangingThread,
  type RestingThread,
  startHangingThread,
  startRestingThread,
} from "../../test/support/threads.ts";
import { superviseIngestThread } from "./ingest-supervisor.ts";
import type { IngestThreadData } from "./ingest-thread.ts";
import { enterGate } from "./native-gate.ts";

const DATA: Omit<IngestThreadData, "gate" | "board"> = {
  database: {
    ...{ kind: "postgres", databaseUrl: "postgres://nowhere", thread: "ingest" },
    ...{ maxConnections: { reads: 1, writes: 1 }, board: new SharedArrayBuffer(4) },
  },
  segmentStore: null,
  modelDir: "nowhere",
  embedThreads: 1,
  files: {
    ...{ folder: "", maxTextBytes: 1, maxFileBytes: 1, limits: { pendingJobs: null, storedBytes: null } },
    ocrLanguages: [],
    outgoing: { allowPrivate: false, userAgent: "" },
  },
  jobLifeMs: 1,
  endedJobs: null,
  tokenLimit: null,
  languageModel: null,
  embeddings: [],
  localModels: [],
  reader: null,
  own: {
    ...{ processId: "one", place: "here", version: "1", roles: [], spaces: [] },
    ...{ readsWithModel: false, maxTextBytes: 1, secretMark: "", startedAt: 0 },
  },
  logLevel: "error",
  isTraced: false,
};

function supervise(
  threads: ReturnType<typeof createTestThreads>["deps"],
  startWorker: NonNullable<Parameters<typeof superviseIngestThread>[0]["startWorker"]>,
) {
  return superviseIngestThread({
    prepare: () => ({ data: DATA, transfer: [] }),
    hasWork: () => Promise.resolve(false),
    hasUpkeep: () => Promise.resolve(false),
    onDamage: () => undefined,
    onCommit: () => undefined,
    onFailedCall: () => undefined,
    onActivity: () => undefined,
    threads,
    startWorker,
  });
}

test("a thread that cannot be started fails no request; the fault is logged, and the next start waits longer each time", async () => {
  mock.timers.enable({ apis: ["setInterval", "Date"] });
  try {
    let starts = 0;
    const { deps, logged } = createTestThreads();
    const ingest = supervise(deps, () => {
      starts++;
      throw new Error("too many threads");
    });
    assert.equal(ingest.fault(), null);
    ingest.wake();
    assert.deepEqual([starts, logged.map(([event]) => event)], [1, ["ingest_thread_failed"]]);
    assert.match(ingest.fault() ?? "", /the ingest thread does not start/);
    ingest.wake();
    assert.equal(starts, 1);
    mock.timers.tick(1_000);
    assert.equal(ingest.fault(), null);
    ingest.wake();
    assert.equal(starts, 2);
    mock.timers.tick(1_000);
    ingest.wake();
    assert.equal(starts, 2, "the second pause is longer");
    await ingest.drain();
  } finally {
    mock.timers.reset();
  }
});

test("a thread that hangs is ended and replaced, and readiness says so in between", async () => {
  mock.timers.enable({ apis: ["setInterval", "Date"] });
  try {
    const { deps, board, logged, passSilence } = createTestThreads();
    const started: HangingThread[] = [];
    const ingest = supervise(deps, () => {
      const thread = startHangingThread("ingest");
      started.push(thread);
      return thread.worker;
    });
    ingest.wake();
    const first = started[0] ?? assert.fail();
    ingest.wake(); // The request that it hangs with.
    await first.hangs;
    assert.equal(board.read("ingest", "pending"), 2);
    assert.equal(ingest.fault(), null);
    const exited = once(first.worker, "exit");
    passSilence("ingest");
    assert.match(ingest.fault() ?? "", /the ingest thread hung and is being replaced/);
    await exited;
    ingest.wake();
    assert.equal(started.length, 1, "not before the pause is over");
    mock.timers.tick(1_000);
    assert.equal(ingest.fault(), null);
    ingest.wake();
    assert.equal(started.length, 2);
    assert.deepEqual([board.read("ingest", "hung"), board.read("ingest", "alive")], [1, 1]);
    assert.deepEqual(
      logged.map(([event, { thread }]) => [event, thread]),
      [["thread_hung", "ingest"]],
    );
    const drained = ingest.drain(); // It hangs with this request, too.
    await started[1]?.hangs;
    passSilence("ingest");
    await drained;
  } finally {
    mock.timers.reset();
  }
});

test("a thread whose embedding threads are in native code is not ended before they have left it", async () => {
  const { deps, board, passSilence } = createTestThreads();
  let gate: SharedArrayBuffer | null = null;
  let thread: HangingThread | null = null;
  const ingest = supervise(deps, (data) => {
    gate = data.gate;
    thread = startHangingThread("ingest");
    return thread.worker;
  });
  ingest.wake();
  const inside: SharedArrayBuffer = gate ?? assert.fail();
  const { worker, hangs }: HangingThread = thread ?? assert.fail();
  enterGate(inside, 1);
  ingest.wake();
  await hangs;
  let hasExited = false;
  const exited = once(worker, "exit").then(() => {
    hasExited = true;
  });
  passSilence("ingest");
  for (let turn = 0; turn < 100; turn++) await setImmediate();
  assert.equal(hasExited, false);
  enterGate(inside, -1);
  await exited;
  assert.equal(board.read("ingest", "stuck"), 0);
  await ingest.drain();
});

test("a stuck thread is ended as soon as its embedding threads have left native code", async () => {
  const { deps, board, passSilence } = createTestThreads(1);
  let gate: SharedArrayBuffer | null = null;
  let thread: HangingThread | null = null;
  const ingest = supervise(deps, (data) => {
    gate = data.gate;
    thread = startHangingThread("ingest");
    return thread.worker;
  });
  ingest.wake();
  const inside: SharedArrayBuffer = gate ?? assert.fail();
  const { worker, hangs }: HangingThread = thread ?? assert.fail();
  enterGate(inside, 1);
  ingest.wake();
  await hangs;
  passSilence("ingest");
  while (board.read("ingest", "stuck") === 0) await setTimeout(1);
  const exited = once(worker, "exit");
  enterGate(inside, -1);
  await exited;
  await setImmediate();
  assert.equal(board.read("ingest", "stuck"), 0);
  await ingest.drain();
});

test("while an idle thread holds an embedding thread that is stuck, another one does the work; it is ended when that has come back", async () => {
  mock.timers.enable({ apis: ["setInterval", "Date"] });
  try {
    const { deps, board } = createTestThreads();
    const started: RestingThread[] = [];
    const ingest = supervise(deps, () => {
      const thread = startRestingThread();
      started.push(thread);
      return thread.worker;
    });
    ingest.wake();
    const first = started[0] ?? assert.fail();
    const exited = once(first.worker, "exit");
    await first.got("work");
    first.worker.emit("message", { event: "idle" });
    // The thread is told to rest, without hurry; meanwhile one of its threads proves to be stuck.
    board.add("embed", "stuck", 1);
    await first.got("rest");
    assert.equal(first.count("drain"), 0);
    while (started.length < 2) {
      ingest.wake();
      await setImmediate();
    }
    await started[1]?.got("work");
    mock.timers.tick(2_000);
    assert.equal(board.read("ingest", "alive"), 2);
    board.add("embed", "stuck", -1);
    mock.timers.tick(2_000);
    await exited;
    assert.equal(board.read("ingest", "alive"), 1);
    await ingest.drain();
    assert.equal(started.length, 2);
  } finally {
    mock.timers.reset();
  }
});
