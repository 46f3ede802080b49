/** Thread pools in tests: time passes only when the test says so. */
import { Worker } from "node:worker_threads";
import type { LogFields } from "../../src/ports/log.ts";
import { BEAT_MS, createWatch } from "../../src/rpc/watch.ts";
import { createThreadBoard, type ThreadBoard } from "../../src/threads/board.ts";
import type { IngestThreadRequest } from "../../src/threads/ingest-thread.ts";
import { THREAD_KINDS, type ThreadName } from "../../src/threads/kinds.ts";
import type { ThreadDeps } from "../../src/threads/thread.ts";
import type { HangingThreadData } from "./hanging-thread.ts";

/** In the order in which `resting-thread.ts` counts them. */
export const INGEST_REQUESTS: readonly IngestThreadRequest[] = ["work", "wake", "check", "rest", "drain"];

export interface TestThreads {
  readonly deps: ThreadDeps;
  readonly board: ThreadBoard;
  /** Event names, and the fields of each. */
  readonly logged: readonly (readonly [event: string, fields: LogFields])[];
  /** As if the time had passed in which a thread of the kind must give a sign of life, without letting it give one. */
  passSilence(thread: ThreadName): void;
}

/** `endLimitMs`: how long a hanging thread may take to end; longer than any test by default. */
export function createTestThreads(endLimitMs = 600_000): TestThreads {
  const logged: [string, LogFields][] = [];
  const record = (event: string, fields: LogFields = {}) => void logged.push([event, fields]);
  const watch = createWatch(() => undefined);
  const board = createThreadBoard();
  const log = { debug: record, info: record, warn: record, error: record };
  return {
    deps: { watch, board, log, endLimitMs },
    board,
    logged,
    passSilence(thread) {
      const { silenceMs, startMs } = THREAD_KINDS[thread];
      // A thread's first sign of life may not have arrived yet; until then it has the time of a start.
      const limitMs = Number.isFinite(startMs) ? Math.max(silenceMs, startMs) : silenceMs;
      // The first round only notices the last sign of life.
      for (let ms = 0; ms <= limitMs; ms += BEAT_MS) watch.beat();
    },
  };
}

export interface RestingThread {
  readonly worker: Worker;
  count(request: IngestThreadRequest): number;
  /** Resolves when it has this request. */
  got(request: IngestThreadRequest): Promise<void>;
}

/** A stand-in for the ingest thread that finishes when it is told to. */
export function startRestingThread(): RestingThread {
  const memory = new SharedArrayBuffer(4 * INGEST_REQUESTS.length);
  const counts = new Int32Array(memory);
  const worker = new Worker(new URL("./resting-thread.ts", import.meta.url), { workerData: memory });
  const at = (request: IngestThreadRequest) => INGEST_REQUESTS.indexOf(request);
  return {
    worker,
    count: (request) => Atomics.load(counts, at(request)),
    async got(request) {
      await Atomics.waitAsync(counts, at(request), 0).value;
    },
  };
}

export interface HangingThread {
  readonly worker: Worker;
  /** Resolves when the thread is in its endless loop, and this thread knows that it was started. */
  readonly hangs: Promise<void>;
}

/** A thread of the kind that runs into an endless loop with its first request. */
export function startHangingThread(
  kind: ThreadName,
  options: Partial<Omit<HangingThreadData, "kind" | "entered">> = {},
): HangingThread {
  const entered = new SharedArrayBuffer(4);
  const workerData: HangingThreadData = {
    gates: [],
    modelDir: null,
    loop: "script",
    ...options,
    kind,
    entered,
  };
  const worker = new Worker(new URL("./hanging-thread.ts", import.meta.url), { workerData });
  // The first message may arrive after the wait is over; a thread that is lost before it counts as one that never served.
  const started = new Promise<unknown>((resolve) => worker.once("message", resolve));
  const hangs = (async () => {
    await Atomics.waitAsync(new Int32Array(entered), 0, 0).value;
    await started;
  })();
  return { worker, hangs };
}
