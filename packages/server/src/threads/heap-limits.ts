/**
 * What the threads' JavaScript may leave lying about before it is swept: V8's own limits are made for a process with one
 * thread. Under 2 GiB it lets a heap grow by less than half before it sweeps, above that to four times what is in use.
 */
import type { ResourceLimits } from "node:worker_threads";

/** For threads that answer or embed: their objects are few and short-lived. */
export const SMALL_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** For the thread that ingests: the texts and chunks of the jobs that it holds, and segments on their way. */
export const INGEST_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };

/** For the thread that reads large bodies, of which batches of 64 MiB live in half of it: what takes more ends it, not the process. */
export const BODY_HEAP: ResourceLimits = { maxOldGenerationSizeMb: 1024 };
