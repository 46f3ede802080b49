/**
 * Loaded into the service with `--import`. On SIGUSR2 it writes to the file of MAIN_THREAD_PROBE_FILE how long the main thread
 * was held since the last time, and begins again.
 */
import { renameSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

export interface Hold {
  /** Counts the readings. */
  readonly reading: number;
  /** Processor time of the main thread between two turns of its event loop, the most; does not depend on other processes. */
  readonly cpuMs: number;
  /** Time between two turns, the most. */
  readonly delayMs: number;
}

const TICK_MS = 1;

function watchMainThread(file: string): void {
  let reading = 0;
  let longest = { cpuMs: 0, delayMs: 0 };
  let last = { cpuMs: cpuMs(), at: performance.now() };

  function tick(): void {
    const next = { cpuMs: cpuMs(), at: performance.now() };
    longest = {
      cpuMs: Math.max(longest.cpuMs, next.cpuMs - last.cpuMs),
      delayMs: Math.max(longest.delayMs, next.at - last.at - TICK_MS),
    };
    last = next;
  }
  setInterval(tick, TICK_MS).unref();
  process.on("SIGUSR2", () => {
    tick();
    reading++;
    const hold: Hold = { reading, ...longest };
    writeFileSync(`${file}.new`, JSON.stringify(hold));
    renameSync(`${file}.new`, file);
    longest = { cpuMs: 0, delayMs: 0 };
    tick();
    longest = { cpuMs: 0, delayMs: 0 };
  });
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const file = process.env["MAIN_THREAD_PROBE_FILE"];
// Threads and child processes inherit the option and load this file, too.
if (file !== undefined && isMainThread && process.argv.includes("serve")) watchMainThread(file);
