/** What the threads' JavaScript may leave lying about before it is swept: V8's own limit is made for a process with one thread. */
import type { ResourceLimits } from "node:worker_threads";

/** For threads that answer or embed: their objects are few and short-lived. */
export const SMALL_YOUNG_GENERATION: ResourceLimits = { maxYoungGenerationSizeMb: 8 };
