/** Gives memory back while a thread rests. V8 keeps what work has needed, and no work comes that would make it collect. */
import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

const WINDOW_MS = 20_000;
/** What the thread's own timers, probes and scrapes of metrics take is less. */
const RESTING_SHARE = 0.01;
/** A heap that has grown by less since the last time is left alone. */
const LEAST_GROWTH_BYTES = 4 * 1024 * 1024;

interface RestDeps {
  /** null = Node was started without `--expose-gc`. */
  readonly collect: (() => void) | null;
  /** The share of the time since the last call that the thread worked. */
  readonly readShare: () => number;
  readonly readHeapBytes: () => number;
}

/**
 * Every 20 seconds: collects garbage where the thread has hardly worked since the last time. It takes the main thread about 35 ms of processor
 * time. The timer does not keep the thread alive.
 */
export function collectAtRest(deps: RestDeps = readThisThread()): void {
  const { collect, readShare, readHeapBytes } = deps;
  if (collect === null) return;
  let leastBytes = 0;
  const timer = setInterval(() => {
    if (readShare() > RESTING_SHARE || readHeapBytes() < leastBytes) return;
    collect();
    leastBytes = readHeapBytes() + LEAST_GROWTH_BYTES;
  }, WINDOW_MS);
  timer.unref();
}

function readThisThread(): RestDeps {
  const { gc } = globalThis;
  let before = performance.eventLoopUtilization();
  return {
    // "last-resort" also returns the pages that V8 pools.
    collect: gc === undefined ? null : () => gc({ type: "major", execution: "sync", flavor: "last-resort" }),
    readShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    readHeapBytes: () => getHeapStatistics().total_heap_size,
  };
}
