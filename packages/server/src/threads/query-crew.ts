/** The threads of the query pool, and the memory that they share. */
import { type Transferable, Worker } from "node:worker_threads";
import type { ThreadDatabase } from "../adapters/database/open-store.ts";
import { SCRATCH_BYTES } from "../engine/index/kernels/search-kernels.ts";
import { createSharedIndexMemory } from "../engine/index/shared-memory.ts";
import { SMALL_YOUNG_GENERATION } from "./heap-limits.ts";
import type { QueryThreadData } from "./query-thread.ts";

/**
 * Starts that many threads over `cacheBytes` of memory for segments, each with a connection of its own.
 * Throws a RangeError where the system does not have the memory.
 */
export function startQueryCrew(options: {
  readonly threads: number;
  readonly cacheBytes: number;
  readonly modelDir: string;
  readonly connect: () => { readonly database: ThreadDatabase; readonly transfer: readonly Transferable[] };
}): readonly Worker[] {
  const { threads, cacheBytes, modelDir } = options;
  const shared = createSharedIndexMemory({ cacheBytes, threads, scratchBytes: SCRATCH_BYTES });
  return Array.from({ length: threads }, (_, thread) => {
    const { database, transfer } = options.connect();
    const data: QueryThreadData = { database, modelDir, cacheBytes, shared, thread };
    return new Worker(new URL("./query-thread.ts", import.meta.url), {
      workerData: data,
      resourceLimits: SMALL_YOUNG_GENERATION,
      transferList: [...transfer],
    });
  });
}
