/** What threads tell of their memory, and what they give back while they rest. */
import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { BroadcastChannel, threadId } from "node:worker_threads";

const CHANNEL = "kcs-thread-memory";
const WINDOW_MS = 20_000;
/** A thread that has told nothing for so long has ended, or hangs. */
const TOLD_MS = 3 * WINDOW_MS;
/** What the thread's own timers, probes and scrapes of metrics take is less. */
const RESTING_SHARE = 0.01;
/** A heap that has grown by less since the last time is left alone. */
const LEAST_GROWTH_BYTES = 4 * 1024 * 1024;

export interface MemoryReport {
  /** "main", or the kind of the thread. */
  readonly thread: string;
  readonly threadId: number;
  /** V8's heap, used or not. */
  readonly heapBytes: number;
  /** Segments in the memory that query threads share; 0 of other threads. */
  readonly indexBytes: number;
}

interface MemoryDeps {
  /** null = Node was started without `--expose-gc`. */
  readonly collect: (() => void) | null;
  /** The share of the time since the last call that the thread worked. */
  readonly readShare: () => number;
  readonly readHeapBytes: () => number;
  readonly tell: (report: MemoryReport) => void;
}

/**
 * Every 20 seconds: collects garbage where the thread has hardly worked since the last time, because V8 keeps what work has needed, and no work
 * comes that would make it collect; then tells the thread's memory. Collecting takes the main thread about 35 ms of processor time. The
 * timer does not keep the thread alive.
 */
export function watchMemory(
  thread: string,
  indexBytes: () => number = () => 0,
  deps: MemoryDeps = ofThisThread(),
): void {
  const { collect, readShare, readHeapBytes, tell } = deps;
  let leastBytes = 0;
  const timer = setInterval(() => {
    if (readShare() <= RESTING_SHARE && readHeapBytes() >= leastBytes && collect !== null) {
      collect();
      leastBytes = readHeapBytes() + LEAST_GROWTH_BYTES;
    }
    tell({ thread, threadId, heapBytes: readHeapBytes(), indexBytes: indexBytes() });
  }, WINDOW_MS);
  timer.unref();
}

function ofThisThread(): MemoryDeps {
  const { gc } = globalThis;
  let before = performance.eventLoopUtilization();
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
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
    tell: (report) => channel.postMessage(report),
  };
}

export interface MemoryReports {
  /** The last of each thread that told one within the last minute. */
  read(): readonly MemoryReport[];
  close(): void;
}

/** Receives what the threads of this process tell. */
export function receiveMemory(now: () => number = () => performance.now()): MemoryReports {
  const last = new Map<number, { readonly report: MemoryReport; readonly at: number }>();
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  const forgetOld = () => {
    for (const [id, { at }] of last) if (now() - at > TOLD_MS) last.delete(id);
  };
  channel.onmessage = (event) => {
    const { data } = event as { readonly data: MemoryReport }; // Only `watchMemory` sends on this channel.
    forgetOld();
    last.set(data.threadId, { report: data, at: now() });
  };
  return {
    read() {
      forgetOld();
      return [...last.values()].map(({ report }) => report);
    },
    close: () => channel.close(),
  };
}
