/** Counts of threads in shared memory: each thread that runs a pool writes to it, the metrics read it. */
import { THREAD_KINDS, THREAD_NAMES, type ThreadName } from "./kinds.ts";

const COLUMNS = ["alive", "pending", "hung", "died", "stuck"] as const;
export type BoardColumn = (typeof COLUMNS)[number];

export interface ThreadBoard {
  /** Hand it to another thread, which makes a board of it. */
  readonly memory: SharedArrayBuffer;
  /**
   * "alive": running threads. "pending": requests in the pool. "hung", "died": replaced threads, since the start of the
   * process. "stuck": threads that hang and cannot be ended.
   */
  read(thread: ThreadName, column: BoardColumn): number;
  add(thread: ThreadName, column: BoardColumn, change: number): void;
  /** The thread `owner` has ended, and with it the threads that it started. */
  forgetThreadsOf(owner: "ingest"): void;
}

export function createThreadBoard(memory: SharedArrayBuffer = emptyMemory()): ThreadBoard {
  const words = new Int32Array(memory);
  const at = (thread: ThreadName, column: BoardColumn) =>
    THREAD_NAMES.indexOf(thread) * COLUMNS.length + COLUMNS.indexOf(column);
  return {
    memory,
    read: (thread, column) => Atomics.load(words, at(thread, column)),
    add: (thread, column, change) => void Atomics.add(words, at(thread, column), change),
    forgetThreadsOf(owner) {
      for (const thread of THREAD_NAMES) {
        if (THREAD_KINDS[thread].startedBy !== owner) continue;
        // Stuck ones are not ended with it.
        Atomics.store(words, at(thread, "alive"), Atomics.load(words, at(thread, "stuck")));
        Atomics.store(words, at(thread, "pending"), 0);
      }
    },
  };
}

function emptyMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(THREAD_NAMES.length * COLUMNS.length * Int32Array.BYTES_PER_ELEMENT);
}

/** Threads of one kind that hang and cannot be ended, each with its memory and perhaps a core; then no more are started. */
export const MAX_STUCK = 2;

/** Why the service must be restarted: a kind has `tolerated` stuck threads. null when it need not be. */
export function stuckFault(board: Pick<ThreadBoard, "read">, tolerated = MAX_STUCK): string | null {
  const stuck = THREAD_NAMES.filter((thread) => board.read(thread, "stuck") >= tolerated);
  if (stuck.length === 0) return null;
  return `Threads hang and cannot be ended (${stuck.join(", ")}). Restart the service.`;
}
