import type { Log } from "./ports/log.ts";

/**
 * Ends this process at once. `process.exit` would wait for each thread to come back from native code, which takes seconds where
 * cores are short; what a crash leaves behind is whole at the next start.
 */
export function cutOff(log: Pick<Log, "warn">, afterMs: number): void {
  log.warn("stop_cut_off", { afterMs });
  process.kill(process.pid, "SIGKILL");
}
