/** One running thread: starts it, ends it, and reports when it dies or hangs. */
import type { Worker } from "node:worker_threads";
import { guardListener, type Log } from "../ports/log.ts";
import { createRpcClient, type RpcClient } from "../rpc/rpc.ts";
import type { Watch } from "../rpc/watch.ts";
import { MAX_STUCK, type ThreadBoard } from "./board.ts";
import type { ThreadKind, ThreadName } from "./kinds.ts";
import { callsInside, closeNativeGate, createNativeGate, enterGate } from "./native-gate.ts";
import { END } from "./serve-thread.ts";

/** Why a request has no answer. "full": refused. "late": not answered within the kind's `answerMs`. */
export type ThreadFault = "died" | "hung" | "closed" | "full" | "late";

/** A request can be sent again, but for one that itself makes the thread die or hang. */
export class ThreadError extends Error {
  readonly fault: ThreadFault;
  /** Whether the thread served before; false where it could not be started. */
  readonly hasServed: boolean;

  constructor(
    thread: ThreadName,
    fault: ThreadFault,
    { hasServed = true, cause }: { readonly hasServed?: boolean; readonly cause?: unknown } = {},
  ) {
    super(MESSAGES[fault](thread), cause === undefined ? undefined : { cause });
    this.name = "ThreadError";
    this.fault = fault;
    this.hasServed = hasServed;
  }
}

/** No more threads are started. Its message may be shown to anybody. */
export class StuckThreadsError extends Error {
  override readonly name = "StuckThreadsError";
}

const MESSAGES: Readonly<Record<ThreadFault, (thread: ThreadName) => string>> = {
  died: (thread) => `The ${thread} thread ended before it answered.`,
  hung: (thread) => `The ${thread} thread hung and is being replaced.`,
  closed: (thread) => `The ${thread} thread was closed before it answered.`,
  full: (thread) => `Too many requests wait for the ${thread} thread.`,
  late: (thread) => `The ${thread} thread did not answer in time.`,
};

export interface ThreadDeps {
  readonly watch: Watch;
  readonly board: ThreadBoard;
  readonly log: Log;
  /** Of the thread that runs this, which must not be terminated while one of its threads is in native code. */
  readonly outerGate?: SharedArrayBuffer;
  /** How long a hanging thread may take to leave native code, and then to end. */
  readonly endLimitMs?: number;
  /** Runs a function outside of the request that needs the thread: what a thread tells is handled where it was started. */
  readonly outside?: <Result>(work: () => Result) => Result;
}

/** Starts a thread of the kind, which passes `gates` before each native call; empty where it has no model. */
export type StartWorker = (gates: readonly SharedArrayBuffer[]) => Worker;

export interface Thread<Input, Output> {
  readonly rpc: RpcClient<Input, Output>;
  /** It has loaded what it needs and answers. */
  readonly isReady: boolean;
  /** The service stops: from now on the thread hangs when it gives no sign of life for three seconds. A start has the time of its kind. */
  hurry(): void;
  /** As the kind's `finishes` says; does not wait for a stuck thread, nor report a loss. May be called twice. */
  end(): Promise<void>;
}

const END_LIMIT_MS = 10_000;
/** The same, and the time without a sign of life, when the service stops. */
const HURRIED_END_LIMIT_MS = 1_000;
const HURRIED_SILENCE_MS = 3_000;

/**
 * `onLost` is called once when the thread dies or hangs, with the error that its requests failed with; the thread must not
 * be used from then on. A thread that hangs is terminated, unless it is inside native code: then it is counted as stuck,
 * and terminated when it has left that code.
 * @throws Error when the kind has as many stuck threads as are tolerated, and what `start` throws
 */
export function startThread<Input, Output, Event = never>(
  kind: ThreadKind,
  options: {
    readonly start: StartWorker;
    /** Closed before the thread is terminated; one of its own when omitted. */
    readonly gate?: SharedArrayBuffer;
    readonly onReady?: () => void;
    readonly onEvent?: (event: Event) => void;
    readonly onLost: (error: ThreadError) => void;
  },
  deps: ThreadDeps,
): Thread<Input, Output> {
  const { board, log, watch, endLimitMs = END_LIMIT_MS, outside = (work) => work() } = deps;
  if (board.read(kind.name, "stuck") >= MAX_STUCK) throw tooManyStuck(kind);
  const gates = openGates(kind, options.gate, deps.outerGate);
  gates.enter(); // Before the thread can leave.
  const worker = startOrSettle(() => outside(() => options.start(gates.passed)), gates.settle);
  board.add(kind.name, "alive", 1);
  const rpc = createRpcClient<Input, Output, Event>(worker, guardListener(options.onEvent, log));
  const exited = Promise.withResolvers<void>();
  /** It has exited, or nothing ends it. */
  const released = Promise.withResolvers<void>();
  let state: "starting" | "ready" | "ending" | "lost" = "starting";
  const { silenceMs, endMs, hurry } = createLimits(kind, rpc, endLimitMs);

  const lose = (fault: "died" | "hung", cause?: unknown) => {
    const error = new ThreadError(kind.name, fault, { hasServed: state !== "starting", cause });
    rpc.fail(error);
    if (state === "ending" || state === "lost") return;
    state = "lost";
    board.add(kind.name, fault, 1);
    if (fault === "hung") log.error("thread_hung", { thread: kind.name, silentMs: silenceMs() });
    options.onLost(error);
  };
  worker.once("message", () => {
    if (state !== "starting") return;
    state = "ready";
    options.onReady?.();
  });
  worker.on("error", (error) => lose("died", error));
  worker.once("exit", () => {
    unwatch();
    board.add(kind.name, "alive", -1);
    gates.settle();
    lose("died");
    exited.resolve();
    released.resolve();
  });
  const unwatch = watch.add({
    client: {
      // To start and to end is work, too.
      get pending() {
        return rpc.pending + (state === "ready" ? 0 : 1);
      },
      get signs() {
        return rpc.signs;
      },
      beat: rpc.beat,
    },
    silenceMs,
    onSilent() {
      lose("hung");
      void kill();
    },
  });

  async function kill(): Promise<void> {
    const isOutside = gates.own === null || (await closeNativeGate(gates.own, endMs()));
    if (isOutside) void worker.terminate();
    if (isOutside && (await isWithin(exited.promise, endMs()))) return;
    board.add(kind.name, "stuck", 1);
    log.error("thread_not_ended", { thread: kind.name, isInNativeCode: !isOutside });
    worker.unref();
    released.resolve();
    if (!isOutside) void gates.whenOutside().then(() => worker.terminate());
    await exited.promise;
    board.add(kind.name, "stuck", -1);
  }

  return {
    rpc,
    get isReady() {
      return state === "ready";
    },
    hurry,
    end() {
      if (state === "ending" || state === "lost") return released.promise;
      state = "ending";
      if (kind.finishes === "none") {
        rpc.fail(new ThreadError(kind.name, "closed"));
        void worker.terminate();
      } else worker.postMessage(END);
      return released.promise;
    },
  };
}

/** How long the thread may be silent, and how long it may take to end. */
function createLimits(kind: ThreadKind, rpc: { readonly signs: number }, endLimitMs: number) {
  let isHurried = false;
  return {
    silenceMs() {
      if (rpc.signs === 0) return kind.startMs;
      return isHurried ? Math.min(HURRIED_SILENCE_MS, kind.silenceMs) : kind.silenceMs;
    },
    endMs: () => (isHurried ? Math.min(HURRIED_END_LIMIT_MS, endLimitMs) : endLimitMs),
    hurry() {
      isHurried = true;
    },
  };
}

/** A gate that is not given counts the load of the model, from the start of the thread on; so does the outer one. */
function openGates(
  kind: ThreadKind,
  given: SharedArrayBuffer | undefined,
  outer: SharedArrayBuffer | undefined,
) {
  if (!kind.hasModel) {
    return { own: given ?? null, passed: [], whenOutside: () => outside(given), enter() {}, settle() {} };
  }
  const own = given ?? createNativeGate();
  return {
    own,
    whenOutside: () => outside(own),
    passed: outer === undefined ? [own] : [own, outer],
    enter() {
      if (outer !== undefined) enterGate(outer, callsInside(own));
    },
    settle() {
      if (outer !== undefined) enterGate(outer, -callsInside(own));
    },
  };
}

/**
 * No call is in native code, which may never come true. Until it is ended, a stuck thread that returns would work in parallel
 * with the thread that replaced it.
 */
async function outside(gate: SharedArrayBuffer | undefined): Promise<void> {
  if (gate !== undefined) await closeNativeGate(gate, Number.POSITIVE_INFINITY);
}

function startOrSettle(start: () => Worker, settle: () => void): Worker {
  try {
    return start();
  } catch (error) {
    settle();
    throw error;
  }
}

function tooManyStuck(kind: ThreadKind): StuckThreadsError {
  return new StuckThreadsError(
    `${MAX_STUCK} ${kind.name} threads hang and cannot be ended, so no more are started. Restart the service.`,
  );
}

async function isWithin(work: Promise<void>, limitMs: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), limitMs);
  const isDone = await Promise.race([work.then(() => true), late.promise]);
  clearTimeout(timer);
  return isDone;
}
