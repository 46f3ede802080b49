/** Starts the ingest thread when there is work, ends it when there has been none for a while, and replaces it when it dies. */
import { type Transferable, Worker } from "node:worker_threads";
import type { EmbeddingActivity } from "../ports/embedding-activity.ts";
import type { Log } from "../ports/log.ts";
import type { ModelActivity } from "../ports/model-activity.ts";
import { INGEST_HEAP } from "./heap-limits.ts";
import type { IngestThreadData, IngestThreadEvent, IngestThreadRequest } from "./ingest-thread.ts";

export interface IngestSupervisor {
  /** There may be work. */
  wake(): void;
  /** Jobs that are worked on may have been cancelled or deleted; there may be work, too. */
  check(): void;
  /** Why jobs are not worked on although some wait; null when nothing is wrong. */
  fault(): string | null;
  /** Ends the thread after its running batches; no new one is started. */
  drain(): Promise<void>;
}

/** What a thread needs to be started; a fresh connection to the database for each one. */
export type IngestThreadStart = () => {
  readonly data: IngestThreadData;
  readonly transfer: readonly Transferable[];
};

const WATCH_MS = 2_000;
/** What becomes due here becomes so while the thread runs, which sees to it; other processes and time leave the rest. */
const UPKEEP_WATCH_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export function superviseIngestThread(deps: {
  readonly start: IngestThreadStart;
  /** Whether a job waits now. */
  readonly hasWork: () => Promise<boolean>;
  /** Whether a merge or a repair is due that the thread has not yet looked at, as after a crash. */
  readonly hasUpkeep: () => Promise<boolean>;
  /** The thread has found and marked a damaged segment. */
  readonly onDamage: () => void;
  /** The thread has used a language model, or an embedding model at a provider. */
  readonly onModelActivity: (activity: ModelActivity | EmbeddingActivity) => void;
  readonly log: Log;
}): IngestSupervisor {
  let thread: { worker: Worker; ended: Promise<void> } | null = null;
  let stopping = false;
  let pauseMs = 0;
  let pausedUntil = 0;
  let upkeepLookAt = 0;

  /** A thread that keeps failing is started ever more rarely. */
  function pause(error: unknown): void {
    pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2));
    pausedUntil = Date.now() + pauseMs;
    deps.log.error("ingest_thread_failed", { error, pauseMs });
  }

  function start(): void {
    const { data, transfer } = deps.start();
    const worker = new Worker(new URL("./ingest-thread.ts", import.meta.url), {
      workerData: data,
      transferList: [...transfer],
      resourceLimits: INGEST_HEAP,
    });
    const ended = new Promise<void>((resolve) => {
      worker.on("error", pause);
      worker.on("exit", () => {
        thread = null;
        resolve();
        void watch(); // A wake-up may have come while it ended.
      });
    });
    worker.on("message", (event: IngestThreadEvent) => {
      pauseMs = 0;
      if (typeof event === "object") deps.onModelActivity(event);
      else if (event === "damaged") deps.onDamage();
      else if (event === "idle") tell("drain");
      else void worker.terminate();
    });
    thread = { worker, ended };
  }

  const tell = (request: IngestThreadRequest) => thread?.worker.postMessage(request);
  const wake = () => {
    if (stopping) return;
    if (thread !== null) tell("wake");
    else if (Date.now() >= pausedUntil) startOrPause();
  };

  /** Who wakes it has had its work accepted, and is not to hear of this. */
  function startOrPause(): void {
    try {
      start();
    } catch (error) {
      pause(error);
    }
  }

  async function hasUpkeep(): Promise<boolean> {
    if (Date.now() < upkeepLookAt) return false;
    upkeepLookAt = Date.now() + UPKEEP_WATCH_MS;
    return deps.hasUpkeep();
  }

  /** Jobs that wait for their time, that a crash left over, or that another process accepted; and upkeep. */
  async function watch(): Promise<void> {
    if (stopping || thread !== null) return;
    try {
      if ((await deps.hasWork()) || (await hasUpkeep())) wake();
    } catch (error) {
      deps.log.error("work_watch_failed", { error });
    }
  }

  const timer = setInterval(() => void watch(), WATCH_MS);
  void watch();
  return {
    wake,
    check: () => (thread === null ? wake() : tell("check")),
    fault: () =>
      Date.now() < pausedUntil ? "Jobs are not worked on: the ingest thread does not start." : null,
    async drain() {
      stopping = true;
      clearInterval(timer);
      const running = thread;
      if (running === null) return;
      tell("drain");
      await running.ended;
    },
  };
}
