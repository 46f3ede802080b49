/** Lanes that claim jobs while there are any, and sleep until there may be more. */
import type { Log } from "../ports/log.ts";
import type { ConvertingService } from "../services/converting.ts";
import type { MergingService } from "../services/merging.ts";
import type { MovingService } from "../services/moving.ts";
import type { ProcessingService } from "../services/processing.ts";

export interface WorkerLoop {
  /** There may be new jobs. */
  wake(): void;
  /** No new claims; resolves when running batches are committed and their leases released. */
  drain(): Promise<void>;
}

const POLL_MS = 1_000;
const MERGE_POLL_MS = 5_000;
const FAULT_PAUSE_MS = 1_000;

/**
 * Starts `lanes` lanes. Each claims jobs until it finds none, then waits for `wake` or one second. One more lane merges
 * and repairs segments, one moves projects to other vector spaces, and `converting.lanes` turn files into text. `onIdle` is called, perhaps repeatedly, when no lane
 * has found work for `idleMs`.
 */
export function startWorkerLoop(deps: {
  readonly processing: Pick<ProcessingService, "processNext">;
  readonly merging: MergingService;
  /** Omitted where projects are not moved. */
  readonly moving?: MovingService;
  /** Omitted where files are not turned into text. */
  readonly converting?: Pick<ConvertingService, "convertNext" | "lanes" | "fetchNext" | "pageLanes">;
  readonly lanes: number;
  readonly idleMs: number;
  readonly onIdle: () => void;
  readonly log: Log;
  readonly now: () => number;
}): WorkerLoop {
  let stopping = false;
  let lastWork = deps.now();
  /** Lanes that claim jobs or work on them. */
  let busy = 0;
  /** Lanes for merges, moves and conversions that do the same. */
  let upkeepBusy = 0;
  const sleepers = new Set<() => void>();

  function sleep(ms: number): Promise<void> {
    if (stopping) return Promise.resolve(); // `drain` has already woken all sleepers.
    return new Promise((resolve) => {
      const wakeUp = () => {
        clearTimeout(timer);
        sleepers.delete(wakeUp);
        resolve();
      };
      const timer = setTimeout(wakeUp, ms);
      sleepers.add(wakeUp);
    });
  }

  async function processNext(): Promise<boolean> {
    busy++;
    try {
      return await deps.processing.processNext(() => stopping);
    } finally {
      busy--;
    }
  }

  async function runLane(): Promise<void> {
    while (!stopping) {
      try {
        if (await processNext()) {
          lastWork = deps.now();
          continue;
        }
        // Another lane may still wait for a language model.
        if (busy === 0 && upkeepBusy === 0 && deps.now() - lastWork >= deps.idleMs) deps.onIdle();
        await sleep(POLL_MS);
      } catch (error) {
        deps.log.error("worker_fault", { error });
        await sleep(FAULT_PAUSE_MS);
      }
    }
  }

  /** Merges, moves or conversions of files, one after the other. */
  async function runUpkeep(
    next: (isStopping: () => boolean) => Promise<boolean>,
    { pollMs, fault }: { readonly pollMs: number; readonly fault: string },
  ): Promise<void> {
    while (!stopping) {
      upkeepBusy++;
      const done = await next(() => stopping)
        .catch((error: unknown) => {
          deps.log.error(fault, { error });
          return "failed" as const;
        })
        .finally(() => upkeepBusy--);
      if (done === true) lastWork = deps.now();
      else await sleep(done === "failed" ? FAULT_PAUSE_MS : pollMs);
    }
  }

  const wakeAll = () => {
    for (const wakeUp of [...sleepers]) wakeUp();
  };
  const lanes = [...Array.from({ length: deps.lanes }, runLane)];
  lanes.push(runUpkeep(deps.merging.mergeNext, { pollMs: MERGE_POLL_MS, fault: "merge_fault" }));
  if (deps.moving !== undefined)
    lanes.push(runUpkeep(deps.moving.moveNext, { pollMs: POLL_MS, fault: "move_fault" }));
  const { convertNext, lanes: ofFiles = 0, fetchNext, pageLanes = 0 } = deps.converting ?? {};
  for (const next of [...Array(ofFiles).fill(convertNext), ...Array(pageLanes).fill(fetchNext)])
    lanes.push(runUpkeep(next, { pollMs: POLL_MS, fault: "conversion_fault" }));

  return {
    wake: wakeAll,
    async drain() {
      stopping = true;
      wakeAll();
      await Promise.all(lanes);
    },
  };
}
