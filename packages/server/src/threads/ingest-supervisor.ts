/** Starts the ingest thread when there is work, ends it when it is idle, and replaces it when it dies or hangs. */
import { type Transferable, Worker } from "node:worker_threads";
import { isPaused } from "../domain/pause.ts";
import type { FailedCall } from "../outage-log.ts";
import type { EmbeddingActivity } from "../ports/embedding-activity.ts";
import type { ModelActivity } from "../ports/model-activity.ts";
import type { WorkActivity } from "../ports/work-activity.ts";
import { threadEnvironment } from "../process-environment.ts";
import type { IngestThreadData, IngestThreadEvent, IngestThreadRequest } from "./ingest-thread.ts";
import { THREAD_KINDS, type ThreadKind } from "./kinds.ts";
import { createNativeGate } from "./native-gate.ts";
import { startThread, type Thread, type ThreadDeps, type ThreadError } from "./thread.ts";

export interface IngestSupervisor {
  /** There may be work. */
  wake(): void;
  /** Running jobs may have been cancelled or deleted; there may be work, too. */
  check(): void;
  /** Why waiting jobs are not worked on; null when nothing is wrong. */
  fault(): string | null;
  /** Ends the thread after its running batches; no new one is started. */
  drain(): Promise<void>;
}

/** Of a process that leaves jobs to others, which look for them every few seconds. */
export const NO_INGEST: IngestSupervisor = {
  wake: () => undefined,
  check: () => undefined,
  fault: () => null,
  drain: async () => undefined,
};

/** What a thread is started with; each has its own connection to the database. */
export type PrepareIngest = () => {
  readonly data: Omit<IngestThreadData, "gate" | "board">;
  readonly transfer: readonly Transferable[];
};

const WORK_CHECK_MS = 2_000;
/** While the thread runs it finds due upkeep itself. This finds what became due with time or through other processes. */
const UPKEEP_CHECK_MS = 60_000;
const LONGEST_PAUSE_MS = 60_000;

interface SupervisorDeps {
  readonly prepare: PrepareIngest;
  /** Whether a job waits now. */
  readonly hasWork: () => Promise<boolean>;
  /** Whether a merge or a repair is due that the thread has not seen, for example after a crash. */
  readonly hasUpkeep: () => Promise<boolean>;
  /** The thread has found and marked a damaged segment. */
  readonly onDamage: () => void;
  /** The thread has written what it read of a batch. */
  readonly onCommit: () => void;
  /** The database has failed a call of the thread. */
  readonly onFailedCall: (call: FailedCall) => void;
  /** The thread has used a language model, or an embedding model at a provider, or has ended a job. */
  readonly onActivity: (activity: ModelActivity | EmbeddingActivity | WorkActivity) => void;
  readonly threads: ThreadDeps;
  readonly kind?: ThreadKind;
  readonly startWorker?: (data: IngestThreadData, transfer: readonly Transferable[]) => Worker;
}

export function superviseIngestThread(deps: SupervisorDeps): IngestSupervisor {
  const { threads, kind = THREAD_KINDS.ingest } = deps;
  const { log, board } = threads;
  const pause = createPause(kind.pauseMs, log);
  const isWorkDue = createWorkCheck(deps);
  let thread: IngestThread | null = null;
  const resting = createRestingThreads(threads);
  let ended: Promise<void> = Promise.resolve();
  let stopping = false;

  function onEvent(event: IngestThreadEvent): void {
    pause.reset();
    if (typeof event === "object" && "failedCall" in event) deps.onFailedCall(event.failedCall);
    else if (typeof event === "object") deps.onActivity(event);
    else if (event === "damaged") deps.onDamage();
    else if (event === "committed") deps.onCommit();
    else if (!resting.areNeeded()) send("rest");
  }

  function onLost(lost: IngestThread, error: ThreadError): void {
    resting.delete(lost);
    if (thread !== lost) return;
    thread = null;
    pause.beginAfter(error);
    void checkForWork();
  }

  async function runToEnd(started: IngestThread): Promise<void> {
    try {
      await ask(started, "work", board);
    } catch {
      return; // `onLost` has been called.
    }
    pause.reset();
    if (stopping && resting.areNeeded()) return; // The stop ends the process.
    await resting.endOrKeep(started);
    if (thread === started) thread = null;
    void checkForWork(); // A wake-up may have come while it ended.
  }

  function send(request: IngestThreadRequest): void {
    if (thread !== null) void ask(thread, request, board).catch(() => undefined); // `onLost` handles a lost thread.
  }

  /** Its caller has had work accepted, and must not fail because no thread can be started. */
  function wake(): void {
    if (stopping) return;
    if (thread !== null) send("wake");
    else if (pause.isOver()) {
      try {
        const started: IngestThread = startIngestThread(kind, {
          ...deps,
          onEvent,
          onLost: (error) => onLost(started, error),
        });
        thread = started;
        ended = runToEnd(started);
      } catch (error) {
        pause.beginAfterFailure(error);
      }
    }
  }

  async function checkForWork(): Promise<void> {
    if (stopping || thread !== null) return;
    try {
      if (await isWorkDue()) wake();
    } catch (error) {
      log.error("work_watch_failed", { error });
    }
  }

  const timer = setInterval(() => {
    resting.endIdle();
    void checkForWork();
  }, WORK_CHECK_MS);
  void checkForWork();
  return {
    wake,
    check: () => (thread === null ? wake() : send("check")),
    fault: () => (pause.isOver() ? null : `Jobs are not worked on: the ingest thread ${pause.reason()}.`),
    async drain() {
      stopping = true;
      clearInterval(timer);
      send("drain");
      await ended;
    },
  };
}

/**
 * Ingest threads that have finished, but hold an embedding thread that is stuck: the end of the one would terminate the other, and inside
 * native code that aborts the process. They are ended when no embedding thread is stuck; until then another ingest thread does the work.
 */
function createRestingThreads({ board, log }: Pick<ThreadDeps, "board" | "log">) {
  const resting = new Set<IngestThread>();
  const areNeeded = () => board.read("embed", "stuck") > 0;
  return {
    areNeeded,
    delete: (thread: IngestThread) => resting.delete(thread),
    async endOrKeep(thread: IngestThread) {
      if (!areNeeded()) return thread.end();
      resting.add(thread);
      log.warn("ingest_thread_kept", { threads: resting.size });
    },
    endIdle() {
      if (areNeeded()) return;
      for (const one of resting) void one.end();
      resting.clear();
    },
  };
}

type IngestThread = Thread<IngestThreadRequest, null>;

/** Counts as pending what the thread has not answered. */
async function ask(
  { rpc }: IngestThread,
  request: IngestThreadRequest,
  board: ThreadDeps["board"],
): Promise<void> {
  board.add("ingest", "pending", 1);
  try {
    await rpc.call(request);
  } finally {
    board.add("ingest", "pending", -1);
  }
}

function startIngestThread(
  kind: ThreadKind,
  options: SupervisorDeps & {
    readonly onEvent: (event: IngestThreadEvent) => void;
    readonly onLost: (error: ThreadError) => void;
  },
): IngestThread {
  const { threads, prepare, startWorker = startIngestWorker, onEvent, onLost } = options;
  const { board } = threads;
  // The embedding threads end with this one: it is not terminated while one of them is in native code.
  const gate = createNativeGate(0);
  const start = () => {
    const { data, transfer } = prepare();
    return startWorker({ ...data, gate, board: board.memory }, transfer);
  };
  board.forgetThreadsOf("ingest");
  return startThread<IngestThreadRequest, null, IngestThreadEvent>(
    kind,
    { start, gate, onEvent, onLost },
    threads,
  );
}

/** The time after a loss in which no thread is started. It doubles with each loss until the thread gives a sign of success. */
function createPause(firstMs: number, log: ThreadDeps["log"]) {
  let lengthMs = 0;
  let pause = { until: 0, lengthMs: 0 };
  let reason = "";
  function begin(why: string): void {
    reason = why;
    lengthMs = Math.min(LONGEST_PAUSE_MS, Math.max(firstMs, lengthMs * 2));
    pause = { until: Date.now() + lengthMs, lengthMs };
  }
  function beginAfterFailure(error: unknown): void {
    begin("does not start");
    log.error("ingest_thread_failed", { error, pauseMs: lengthMs });
  }
  return {
    beginAfterFailure,
    /** The watch has logged a thread that hangs. One that ended without an error may start again at once. */
    beginAfter({ fault, cause }: ThreadError) {
      if (fault === "hung") begin("hung and is being replaced");
      else if (cause !== undefined) beginAfterFailure(cause);
    },
    reset() {
      lengthMs = 0;
    },
    isOver: () => !isPaused(Date.now(), pause),
    reason: () => reason,
  };
}

/** Finds jobs that waited for their time, that a crash left, or that another process accepted; and, less often, upkeep. */
function createWorkCheck(deps: Pick<SupervisorDeps, "hasWork" | "hasUpkeep">): () => Promise<boolean> {
  let nextUpkeepCheck = 0;
  return async () => {
    if (await deps.hasWork()) return true;
    if (isPaused(Date.now(), { until: nextUpkeepCheck, lengthMs: UPKEEP_CHECK_MS })) return false;
    nextUpkeepCheck = Date.now() + UPKEEP_CHECK_MS;
    return deps.hasUpkeep();
  };
}

function startIngestWorker(data: IngestThreadData, transfer: readonly Transferable[]): Worker {
  return new Worker(new URL("./ingest-thread.ts", import.meta.url), {
    env: threadEnvironment(),
    workerData: data,
    transferList: [...transfer],
    resourceLimits: THREAD_KINDS.ingest.heap,
  });
}
