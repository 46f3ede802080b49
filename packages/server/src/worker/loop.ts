/** The worker's clock: lanes that take jobs while there are any, and sleep until there may be more. */
import type { Log } from "../ports/log.ts";
import type { MergingService } from "../services/merging.ts";
import type { MovingService } from "../services/moving.ts";
import type { ProcessingService } from "../services/processing.ts";

export interface WorkerLoop {
  /** There may be new jobs. */
  wake(): void;
  /** No new claims; resolves when the batches that are running are committed and their leases given back. */
  drain(): Promise<void>;
}

const POLL_MS = 1_000;
const MERGE_POLL_MS = 5_000;
const FAULT_PAUSE_MS = 1_000;

/**
 * Starts `lanes` lanes at once. Each goes on as long as it finds jobs, otherwise waits for `wake` or one
 * second. Beside them one lane merges and repairs segments, and one moves projects to other vector spaces.
 * `onIdle` is called when all lanes have found nothing for `idleMs`.
 */
export function startWorkerLoop(deps: {
  readonly processing: Pick<ProcessingService, "processNext">;
  readonly merging: MergingService;
  /** Left out where projects are not moved. */
  readonly moving?: MovingService;
  readonly lanes: number;
  readonly idleMs: number;
  readonly onIdle: () => void;
  readonly log: Log;
  readonly now: () => number;
}): WorkerLoop {
  let stopping = false;
  let lastWork = deps.now();
  /** Lanes that look for jobs or work on some. */
  let busy = 0;
  /** Merges and moves that are looked for or worked on. */
  let beside = 0;
  const sleepers = new Set<() => void>();

  function sleep(ms: number): Promise<void> {
    if (stopping) return Promise.resolve(); // The wake-up of the drain has come already.
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
        // One lane may wait for a language model for longer than the others find nothing.
        if (busy === 0 && beside === 0 && deps.now() - lastWork >= deps.idleMs) deps.onIdle();
        await sleep(POLL_MS);
      } catch (error) {
        deps.log.error("worker_fault", { error });
        await sleep(FAULT_PAUSE_MS);
      }
    }
  }

  /** What is done beside the jobs, one after the other. */
  async function runBeside(
    next: (isStopping: () => boolean) => Promise<boolean>,
    { pollMs, fault }: { readonly pollMs: number; readonly fault: string },
  ): Promise<void> {
    while (!stopping) {
      beside++;
      const done = await next(() => stopping)
        .catch((error: unknown) => {
          deps.log.error(fault, { error });
          return "failed" as const;
        })
        .finally(() => beside--);
      if (done === true) lastWork = deps.now();
      else await sleep(done === "failed" ? FAULT_PAUSE_MS : pollMs);
    }
  }

  const wakeAll = () => {
    for (const wakeUp of [...sleepers]) wakeUp();
  };
  const lanes = [...Array.from({ length: deps.lanes }, runLane)];
  lanes.push(runBeside(deps.merging.mergeNext, { pollMs: MERGE_POLL_MS, fault: "merge_fault" }));
  if (deps.moving !== undefined)
    lanes.push(runBeside(deps.moving.moveNext, { pollMs: POLL_MS, fault: "move_fault" }));

  return {
    wake: wakeAll,
    async drain() {
      stopping = true;
      wakeAll();
      await Promise.all(lanes);
    },
  };
}
