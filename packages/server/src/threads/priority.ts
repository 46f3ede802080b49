/** The scheduling priority of threads: where cores are short, questions go before ingestion. */
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** Such a thread gets about a tenth of a core that a thread of normal priority competes for, and all of an idle one. */
const LOWERED_NICENESS = 10;

/**
 * Lowers the priority of the calling thread and of the threads that it starts afterwards. Only Linux has priorities of threads.
 * Returns null, or why it failed, which costs speed only.
 */
export function lowerThreadPriority(): string | null {
  try {
    // "<process>/task/<thread>"
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (!Number.isSafeInteger(thread) || thread <= 0) return "the system does not show the thread's number";
    setPriority(thread, LOWERED_NICENESS);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
