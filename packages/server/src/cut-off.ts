import type { Log } from "./ports/log.ts";

/** Ends a stop that takes too long, and logs it. */
export function cutOff(log: Pick<Log, "warn">, afterMs: number): void {
  log.warn("stop_cut_off", { afterMs });
  killProcess();
}

/**
 * Ends this process at once. `process.exit` would wait for each thread to return from native code, which takes seconds on a
 * busy machine, and forever where a thread hangs there. The next start continues from what was committed.
 */
export function killProcess(): void {
  process.kill(process.pid, "SIGKILL");
}
