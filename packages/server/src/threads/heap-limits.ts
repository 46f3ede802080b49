/** What the threads' JavaScript may leave lying about before it is swept: V8's own limit is made for a process with one thread. */
import type { ResourceLimits } from "node:worker_threads";

/** For threads that answer or embed: their objects are few and short-lived. */
export const SMALL_YOUNG_GENERATION: ResourceLimits = { maxYoungGenerationSizeMb: 8 };

/** For the thread that reads large bodies, of which batches of 64 MiB live in half of it: what takes more ends it, not the process. */
export const BODY_HEAP: ResourceLimits = { maxOldGenerationSizeMb: 1024 };
