/** The running threads of one kind: crews that are started, replaced and ended as `kinds.ts` says. */
import { isPaused } from "../domain/pause.ts";
import type { ThreadKind } from "./kinds.ts";
import { type StartWorker, startThread, type Thread, type ThreadDeps, ThreadError } from "./thread.ts";

/** Threads that are replaced together, and what starts them. With memory of its own, a crew is one thread. */
export type StartCrew = () => readonly StartWorker[];

export interface Lane<Input, Output> {
  readonly thread: Thread<Input, Output>;
  /** Requests that somebody still waits for. */
  pending: number;
}

export interface CrewOptions {
  readonly startCrew: StartCrew;
  /** Crews that run at the same time; 1 when omitted. */
  readonly maxCrews?: number;
  /** What a thread sends unasked. */
  readonly onEvent?: (event: unknown) => void;
  /** A crew was lost, or could not be started. */
  readonly onLost?: (error: ThreadError) => void;
}

export interface Crews<Input, Output> {
  /** The thread for the next request; null while all are busy. Starts a crew when all threads of the others have requests. */
  freeLane(): Lane<Input, Output> | null;
  /** Running threads. */
  size(): number;
  /** See `ThreadPool.state`. */
  state(): "ready" | "starting" | ThreadError;
  /** The last loss that no start has made up for. */
  loss(): ThreadError | null;
  /** Ends the running threads; the next request starts others. */
  end(): Promise<void>;
  /** No thread is left, and no more are started. */
  isDone(): boolean;
  /** The service stops: no more threads are started, and those that hang are found soon. */
  hurry(): void;
}

type Crew<Input, Output> = Lane<Input, Output>[];

/** @throws what the start of a crew throws, where the kind starts at once */
export function createCrews<Input, Output>(
  kind: ThreadKind,
  options: Omit<CrewOptions, "onLost"> & {
    /** Called with each thread that becomes ready. */
    readonly onReady: () => void;
    readonly onLost: (error: ThreadError) => void;
  },
  deps: ThreadDeps,
): Crews<Input, Output> {
  const crews = new Set<Crew<Input, Output>>();
  /** Threads that end although the pool goes on: the others of a lost crew. */
  const leaving = new Set<Promise<void>>();
  let loss: ThreadError | null = null;
  let pause = { until: 0, lengthMs: kind.pauseMs };
  let isSealed = false;

  const lanes = () => [...crews].flat();
  function startCrew(): void {
    const crew: Crew<Input, Output> = [];
    const onReady = () => {
      if (crews.has(crew)) loss = null;
      options.onReady();
    };
    const onLost = (error: ThreadError) => {
      if (!crews.delete(crew)) return;
      dismiss(crew);
      recordLoss(error);
    };
    try {
      for (const start of options.startCrew()) {
        const callbacks = { start, onReady, onLost, onEvent: options.onEvent ?? ignore };
        crew.push({ thread: startThread<Input, Output, unknown>(kind, callbacks, deps), pending: 0 });
      }
    } catch (error) {
      dismiss(crew);
      throw error;
    }
    crews.add(crew);
  }

  /** The thread that was lost ends without being asked. */
  function dismiss(crew: Crew<Input, Output>): void {
    for (const { thread } of crew) {
      const end = thread.end().finally(() => leaving.delete(end));
      leaving.add(end);
    }
  }

  function recordLoss(error: ThreadError): void {
    loss = error;
    pause = { ...pause, until: Date.now() + kind.pauseMs };
    // Only once by itself: where threads cannot be started, each request or readiness check tries again.
    if (kind.starts === "at once" && error.hasServed) {
      // A timer counts from the beginning of its turn of the event loop, so it may fire before its end.
      setTimeout(() => revive(pause.until), kind.pauseMs).unref();
    }
    options.onLost(error);
  }

  function grow(now = Date.now()): void {
    if (isSealed || crews.size >= (options.maxCrews ?? 1) || isPaused(now, pause)) return;
    try {
      startCrew();
    } catch (error) {
      // The system may be out of threads or memory at present.
      recordLoss(new ThreadError(kind.name, "died", { hasServed: false, cause: error }));
    }
  }

  function revive(now?: number): void {
    if (crews.size === 0) grow(now);
  }

  if (kind.starts === "at once") startCrew();
  return {
    freeLane() {
      if ((leastBusy(lanes())?.pending ?? 1) > 0) grow();
      const least = leastBusy(lanes());
      return least !== null && least.pending < kind.depth ? least : null;
    },
    size: () => lanes().length,
    state() {
      revive();
      if (lanes().some(({ thread }) => thread.isReady)) return "ready";
      return loss ?? "starting";
    },
    loss: () => loss,
    async end() {
      const running = lanes();
      crews.clear();
      await Promise.all([...leaving, ...running.map(({ thread }) => thread.end())]);
    },
    isDone: () => isSealed && crews.size === 0,
    hurry() {
      isSealed = true;
      for (const { thread } of lanes()) thread.hurry();
    },
  };
}

function ignore(): void {}

/** Of the ready ones if any is ready. */
function leastBusy<Input, Output>(lanes: readonly Lane<Input, Output>[]): Lane<Input, Output> | null {
  const ready = lanes.filter(({ thread }) => thread.isReady);
  return (ready.length > 0 ? ready : lanes).reduce<Lane<Input, Output> | null>(
    (least, lane) => (least === null || lane.pending < least.pending ? lane : least),
    null,
  );
}
