/**
 * Counts answered questions in memory and writes the counts in batches, so that no question costs a write.
 */
import { dayOf } from "../domain/usage.ts";
import type { Log } from "../ports/log.ts";
import type { QueryCount, UsageStore } from "../ports/usage-store.ts";

export interface QueryMeter {
  count(use: { readonly accountId: string; readonly projectId: string }): void;
  /** Writes the counts to the store. Called a last time at shutdown, after the last question is answered. */
  flush(): Promise<void>;
}

const FLUSH_MS = 5_000;
/** Unwritten counts, one for each account, project and day. When this many wait, they are written at once. */
const MAX_UNWRITTEN = 1_000;

/** A crash loses the counts of the last 5 s. Counts of a failed write are written with the next ones. */
export function createQueryMeter(deps: {
  readonly store: Pick<UsageStore, "addQueries">;
  readonly log: Log;
  readonly now: () => number;
  readonly flushMs?: number;
}): QueryMeter {
  const { store, log, now, flushMs = FLUSH_MS } = deps;
  let unwritten = new Map<string, QueryCount>();
  let lastWrite: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;

  function add({ accountId, projectId, day, queries }: QueryCount): void {
    const key = `${accountId}\n${projectId}\n${day}`;
    const known = unwritten.get(key)?.queries ?? 0;
    unwritten.set(key, { accountId, projectId, day, queries: known + queries });
  }

  async function write(): Promise<void> {
    const counts = [...unwritten.values()];
    unwritten = new Map();
    if (counts.length === 0) return;
    try {
      await store.addQueries({ counts });
    } catch (error) {
      log.warn("query_counts_kept", { error });
      // Bounded: during an outage of the database, counts beyond the limit are lost.
      for (const count of counts) if (unwritten.size < MAX_UNWRITTEN) add(count);
    }
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    lastWrite = lastWrite.then(write);
    return lastWrite;
  }

  return {
    count({ accountId, projectId }) {
      add({ accountId, projectId, day: dayOf(now()), queries: 1 });
      if (unwritten.size >= MAX_UNWRITTEN) void flush();
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
    flush,
  };
}
