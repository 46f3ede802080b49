/** Tells when something in a folder has changed, and that nothing has changed since for a moment. */
import { type FSWatcher, watch } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Whoever writes several files, or a long one, is given the time to end. */
const QUIET_MS = 1_000;
/** What never rests is looked at all the same. */
const MAX_UNREST_MS = 10_000;

export interface ChangeWatch {
  /** Resolves after a change since the last call, or after `mostMs`. Rejects with the signal's reason. */
  next(mostMs: number): Promise<void>;
  close(): void;
}

/** @param onFault called once when the operating system tells of no changes (any more): only `mostMs` counts then */
export function watchChanges(
  folder: string,
  { signal, onFault }: { readonly signal: AbortSignal; readonly onFault: (error: Error) => void },
): ChangeWatch {
  let changes = 0;
  let seen = 0;
  let wake = () => {};
  const watcher = openWatcher(folder, onFault);
  watcher?.on("change", () => {
    changes++;
    wake();
  });

  async function untilChange(mostMs: number): Promise<void> {
    if (changes !== seen) return;
    const waiting = new AbortController();
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    try {
      await Promise.race([
        changed,
        sleep(mostMs, undefined, { signal: AbortSignal.any([signal, waiting.signal]) }),
      ]);
    } finally {
      waiting.abort();
    }
  }

  return {
    async next(mostMs) {
      await untilChange(mostMs);
      const begin = performance.now();
      while (changes !== seen && performance.now() - begin < MAX_UNREST_MS) {
        seen = changes;
        await sleep(QUIET_MS, undefined, { signal });
      }
      seen = changes;
    },
    close: () => watcher?.close(),
  };
}

function openWatcher(folder: string, onFault: (error: Error) => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { recursive: true });
    watcher.once("error", (error) => {
      watcher.on("error", () => {}); // One is enough.
      onFault(error);
    });
    return watcher;
  } catch (error) {
    onFault(error instanceof Error ? error : new Error(String(error)));
    return null;
  }
}
