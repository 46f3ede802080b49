/** Use of the connections to PostgreSQL in shared memory: each thread writes its rows, the metrics read them. */

const COLUMNS = ["open", "in_use", "waiting", "waits", "wait_ms", "conflicts"] as const;
export type PoolColumn = (typeof COLUMNS)[number];

/** The threads with connections, and what for. Query threads write nothing, so that pool stays empty. */
export const POOL_THREADS = ["main", "ingest", "query"] as const;
export type PoolThread = (typeof POOL_THREADS)[number];
export const POOL_USES = ["reads", "writes"] as const;
export type PoolUse = (typeof POOL_USES)[number];

const MAX_QUERY_THREADS = 64;
/** Two rows for each thread. */
const ROWS = (POOL_THREADS.length - 1 + MAX_QUERY_THREADS) * POOL_USES.length;
/** Kept when a thread is replaced; the others describe the connections that it had. */
const COUNTERS: ReadonlySet<PoolColumn> = new Set(["waits", "wait_ms", "conflicts"]);

/** One pool of one thread. */
export interface PoolMeter {
  /** "open": connections. "in_use": those that run something. "waiting": calls without one. "waits", "wait_ms": of all calls so far. "conflicts": tries that others' locks ended. */
  add(column: PoolColumn, change: number): void;
}

export type PoolMeters = Readonly<Record<PoolUse, PoolMeter>>;

export interface PoolBoard {
  /** Hand it to another thread, which makes a board of it. */
  readonly memory: SharedArrayBuffer;
  /** Of all query threads together. */
  read(thread: PoolThread, use: PoolUse, column: PoolColumn): number;
  /** `place`: among the query threads, from 0. */
  meters(thread: PoolThread, place?: number): PoolMeters;
  /** The thread is replaced, and its connections are gone. */
  forget(thread: PoolThread, place?: number): void;
}

export function createPoolBoard(memory: SharedArrayBuffer = emptyMemory()): PoolBoard {
  const words = new Int32Array(memory);
  const at = (row: number, column: PoolColumn) => row * COLUMNS.length + COLUMNS.indexOf(column);
  const rowOf = (thread: PoolThread, use: PoolUse, place: number) =>
    (POOL_THREADS.indexOf(thread) + place) * POOL_USES.length + POOL_USES.indexOf(use);
  const meter = (row: number): PoolMeter => ({
    add: (column, change) => void Atomics.add(words, at(row, column), change),
  });
  return {
    memory,
    read(thread, use, column) {
      const places = thread === "query" ? MAX_QUERY_THREADS : 1;
      let sum = 0;
      for (let place = 0; place < places; place++) {
        const value = Atomics.load(words, at(rowOf(thread, use, place), column));
        // Counters go on from zero after 2^32.
        sum += COUNTERS.has(column) ? value >>> 0 : Math.max(0, value);
      }
      return sum;
    },
    meters: (thread, place = 0) => ({
      reads: meter(rowOf(thread, "reads", place)),
      writes: meter(rowOf(thread, "writes", place)),
    }),
    forget(thread, place = 0) {
      for (const use of POOL_USES)
        for (const column of COLUMNS)
          if (!COUNTERS.has(column)) Atomics.store(words, at(rowOf(thread, use, place), column), 0);
    },
  };
}

function emptyMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(ROWS * COLUMNS.length * Int32Array.BYTES_PER_ELEMENT);
}
