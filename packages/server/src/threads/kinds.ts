/**
 * The threads of the process besides the main one. This table is what the pools, the watch and the metrics use.
 *
 * | Thread  | Why it exists                                                     | How many              | Started by, and when            |
 * |---------|-------------------------------------------------------------------|-----------------------|---------------------------------|
 * | writer  | SQLite is synchronous: one connection that writes                 | 1, on SQLite only     | main, with the service          |
 * | reader  | SQLite is synchronous: one connection that reads                  | 1, on SQLite only     | main, with the service          |
 * | query   | embeds questions and searches segments                            | KCS_QUERY_THREADS     | main, with the service          |
 * | body    | decodes, parses and checks large bodies of documents and ontologies | 1, and 1 for long ones | main, with the first body    |
 * | suggest | suggests ontologies for use cases                                 | 1                     | main, with the first use case   |
 * | ingest  | claims jobs, cuts chunks, builds the segments of batches          | 1                     | main, when there is work        |
 * | embed   | embeds chunks and reads them for the graph, one of each account     | KCS_INGEST_THREADS    | ingest, one by one with texts   |
 * | merge   | merges segments and rebuilds damaged ones                         | 1                     | ingest, with the first merge    |
 *
 * A thread that dies or hangs fails its requests with an error that may be retried, and is replaced: alone, except for query
 * threads. Those share one memory, and the lost thread may have held its lock or leases in it, so all of them are replaced,
 * with a fresh memory; the others first answer what they have. A lost writer or reader ends the process: nobody can tell what it held of
 * the database, and the next start continues from what was committed. docs/decisions/0021-threads-that-hang.md has the reasons.
 */
import type { ResourceLimits } from "node:worker_threads";

export const THREAD_NAMES = [
  "writer",
  "reader",
  "query",
  "body",
  "suggest",
  "ingest",
  "embed",
  "merge",
] as const;
export type ThreadName = (typeof THREAD_NAMES)[number];

export interface ThreadKind {
  readonly name: ThreadName;
  readonly startedBy: "main" | "ingest";
  readonly starts: "at once" | "on demand";
  /** "shared": all threads of the kind are started and replaced together. */
  readonly memory: "own" | "shared";
  /** "low": gives way to other threads where cores are short (Linux only). */
  readonly priority: "normal" | "low";
  /** The model's native runtime aborts the process when its thread is terminated inside it; see `native-gate.ts`. */
  readonly hasModel: boolean;
  readonly heap: ResourceLimits;
  /** Requests sent to one thread at a time; the others wait in turns by account. */
  readonly depth: number;
  /** Of these, those that one account has at most, as a mean over the threads, so that others need not wait for its slow ones; null = all. */
  readonly ofAccount: number | null;
  /** Requests in the pool; more are refused. null = as many as its callers send. */
  readonly maxPending: number | null;
  /** How long a caller waits for its answer, the time in the queue included; null = as long as the thread lives. */
  readonly answerMs: number | null;
  /** A thread with work hangs when it gives no sign of life for this time. A request that is still running gives one whenever it lets the event loop turn. */
  readonly silenceMs: number;
  /** The same until it serves: it loads its modules and its model, which the first start builds. */
  readonly startMs: number;
  /** After a loss, time until the next start. */
  readonly pauseMs: number;
  /** Without requests for this time, the thread is ended; null = it stays. */
  readonly idleMs: number | null;
  /** Requests that are answered before the threads end: all of the pool's, those that threads have, or none. */
  readonly finishes: "all" | "sent" | "none";
}

/**
 * V8's own heap limits suit a process with one thread: below 2 GiB a heap grows by less than half before it is collected,
 * above that to four times its live size. Threads that answer or embed have few, short-lived objects.
 */
const SMALL_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };
/** Rows are short-lived. */
const DATABASE_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1024 };
/** For the texts and chunks of claimed jobs, and for segments in transit. */
const INGEST_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };
/** A batch of 64 MiB needs half of it. A body that needs more ends the thread, not the process. */
const BODY_HEAP: ResourceLimits = { maxOldGenerationSizeMb: 1024 };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const DATABASE = {
  startedBy: "main",
  starts: "at once",
  memory: "own",
  priority: "normal",
  hasModel: false,
  heap: DATABASE_HEAP,
  depth: Number.POSITIVE_INFINITY,
  ofAccount: null,
  // Of one port; see `port-client.ts`.
  maxPending: 2_048,
  answerMs: null,
  // One statement over a large project can take minutes on a slow disk; PostgreSQL's longest may take ten.
  silenceMs: 10 * MINUTE,
  // Its start is not watched: a migration of a large database takes minutes.
  startMs: Number.POSITIVE_INFINITY,
  pauseMs: 0,
  idleMs: null,
  finishes: "all",
} as const;

/** Nothing but JavaScript, started with the first request and ended when idle. */
const HELPER = {
  starts: "on demand",
  memory: "own",
  priority: "normal",
  hasModel: false,
  depth: Number.POSITIVE_INFINITY,
  ofAccount: null,
  maxPending: null,
  answerMs: null,
  startMs: MINUTE,
  pauseMs: 0,
  finishes: "none",
} as const;

export const THREAD_KINDS: Readonly<Record<ThreadName, ThreadKind>> = {
  writer: { ...DATABASE, name: "writer" },
  reader: { ...DATABASE, name: "reader" },
  query: {
    name: "query",
    startedBy: "main",
    starts: "at once",
    memory: "shared",
    priority: "normal",
    hasModel: true,
    heap: SMALL_HEAP,
    // More than one: on PostgreSQL the reads of one question overlap with the computing of another.
    depth: 4,
    // A question waits at each turn of the event loop for those of another account that share its thread.
    ofAccount: 2,
    maxPending: 256,
    answerMs: 30 * SECOND,
    // A question takes milliseconds between two turns of the event loop; a lost lock fails it after ten seconds.
    silenceMs: 30 * SECOND,
    startMs: 5 * MINUTE,
    pauseMs: 2 * SECOND,
    idleMs: null,
    finishes: "all",
  },
  body: {
    ...HELPER,
    name: "body",
    startedBy: "main",
    heap: BODY_HEAP,
    // The others wait in turns by account: a body takes seconds, a file of an ontology 20 at most (`body-thread.ts`).
    depth: 1,
    ofAccount: null,
    // A body of 64 MiB takes two seconds on a free core.
    silenceMs: MINUTE,
    idleMs: 30 * SECOND,
  },
  suggest: {
    ...HELPER,
    name: "suggest",
    startedBy: "main",
    heap: SMALL_HEAP,
    // One at a time, so that the use cases of one account delay another's by one.
    depth: 1,
    ofAccount: null,
    maxPending: 64,
    answerMs: 30 * SECOND,
    // A suggestion takes milliseconds. A use case that makes the thread hang leaves the others time for their answers.
    silenceMs: 10 * SECOND,
    idleMs: 30 * SECOND,
  },
  ingest: {
    name: "ingest",
    startedBy: "main",
    starts: "on demand",
    memory: "own",
    priority: "normal",
    hasModel: false,
    heap: INGEST_HEAP,
    depth: Number.POSITIVE_INFINITY,
    ofAccount: null,
    maxPending: null,
    answerMs: null,
    // Cutting a text of 64 MiB or building a segment holds the event loop for seconds.
    silenceMs: 2 * MINUTE,
    startMs: 2 * MINUTE,
    // `ingest-supervisor.ts` doubles it with each failure, up to a minute.
    pauseMs: SECOND,
    idleMs: 10 * SECOND,
    finishes: "all",
  },
  embed: {
    name: "embed",
    startedBy: "ingest",
    starts: "on demand",
    memory: "own",
    priority: "low",
    hasModel: true,
    heap: SMALL_HEAP,
    // So that a thread never waits for its next text.
    depth: 8,
    ofAccount: 4,
    maxPending: null,
    answerMs: null,
    // A text takes 8 ms and the first use of the tagger 0.6 s, at low priority on a busy machine a hundred times that.
    silenceMs: 5 * MINUTE,
    startMs: 5 * MINUTE,
    pauseMs: 0,
    idleMs: null,
    finishes: "sent",
  },
  merge: {
    ...HELPER,
    name: "merge",
    startedBy: "ingest",
    priority: "low",
    heap: INGEST_HEAP,
    // A segment of 32,768 chunks takes seconds, at low priority on a busy machine minutes.
    silenceMs: 10 * MINUTE,
    idleMs: 20 * SECOND,
  },
};
