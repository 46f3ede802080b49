import { KcsError } from "./errors.ts";

/** Timers of a longer time would run out at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @throws KcsError for what is no time */
export function requireTime(name: string, ms: number | undefined): void {
  if (ms === undefined || ms >= 0) return;
  throw new KcsError(`${name}: got ${String(ms)}, expected milliseconds from 0, or Infinity for no limit`);
}

/** Calls `onEnd` after the time, and never after Infinity, unless the returned function was called before. */
export function startTimeLimit(ms: number, onEnd: () => void): () => void {
  if (ms > MAX_TIMER_MS) return () => undefined;
  const timer = setTimeout(onEnd, ms);
  return () => clearTimeout(timer);
}

/** @throws the signal's reason as soon as the signal is aborted */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      stop();
      reject(signal?.reason);
    };
    const stop = startTimeLimit(ms, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** What the work resolves to, or rejected with the signal's reason as soon as that is aborted; the work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    const stop = () => signal.removeEventListener("abort", abort);
    work.then(resolve, reject).finally(stop);
  });
}
