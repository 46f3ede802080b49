/** Which thread goes first where cores are short: questions before ingestion. */
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** Gets about a tenth of a core that a thread of normal priority wants too, and all of one that nobody wants. */
const LOWERED_NICENESS = 10;

/**
 * Lowers the priority of the thread that calls it, and of those it starts. Only Linux has priorities of threads; null
 * when it is done, or why it is not, which costs speed only.
 */
export function lowerThreadPriority(): string | null {
  try {
    // "<process>/task/<thread>"
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (!Number.isSafeInteger(thread) || thread <= 0) return "the system does not tell the thread's number";
    setPriority(thread, LOWERED_NICENESS);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
