/** The threads of the query pool, and the memory that they share. */
import { type Transferable, Worker } from "node:worker_threads";
import type { ThreadDatabase } from "../adapters/database/open-store.ts";
import { SCRATCH_BYTES } from "../engine/index/kernels/search-kernels.ts";
import { createSharedIndexMemory } from "../engine/index/shared-memory.ts";
import { SMALL_HEAP } from "./heap-limits.ts";
import type { QueryThreadData } from "./query-thread.ts";
import { endThread } from "./rpc.ts";

/**
 * Starts that many threads over `cacheBytes` of memory for segments, each with a connection of its own.
 * @throws RangeError where the system does not have the memory, and what `connect` or a start throws; the threads that
 * were started by then are ended
 */
export function startQueryCrew(options: {
  readonly threads: number;
  readonly cacheBytes: number;
  readonly modelDir: string;
  readonly connect: () => { readonly database: ThreadDatabase; readonly transfer: readonly Transferable[] };
  readonly startWorker?: (data: QueryThreadData, transfer: readonly Transferable[]) => Worker;
}): readonly Worker[] {
  const { threads, cacheBytes, modelDir, startWorker = startQueryWorker } = options;
  const shared = createSharedIndexMemory({ cacheBytes, threads, scratchBytes: SCRATCH_BYTES });
  const workers: Worker[] = [];
  try {
    for (let thread = 0; thread < threads; thread++) {
      const { database, transfer } = options.connect();
      workers.push(startWorker({ database, modelDir, cacheBytes, shared, thread }, transfer));
    }
  } catch (error) {
    for (const worker of workers) abandon(worker);
    throw error;
  }
  return workers;
}

function startQueryWorker(data: QueryThreadData, transfer: readonly Transferable[]): Worker {
  return new Worker(new URL("./query-thread.ts", import.meta.url), {
    workerData: data,
    resourceLimits: SMALL_HEAP,
    transferList: [...transfer],
  });
}

/** Nobody will hear of its end, and an error that nobody listens to would end the process. */
function abandon(worker: Worker): void {
  worker.on("error", () => {});
  void endThread(worker);
}
