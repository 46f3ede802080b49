/** Counts answered questions in memory and writes them down now and then: never one write a question. */
import { dayOf } from "../domain/usage.ts";
import type { Log } from "../ports/log.ts";
import type { QueryCount, UsageStore } from "../ports/usage-store.ts";
import type { QueryService } from "./queries.ts";

export interface QueryMeter {
  count(use: { readonly accountId: string; readonly projectId: string }): void;
  /** Writes down what is counted. The last time when the service stops, once no question is answered any more. */
  flush(): Promise<void>;
}

const FLUSH_MS = 5_000;
/** Projects and days that wait to be written; with more, those that come first are written at once. */
const MAX_WAITING = 1_000;

/** What a crash loses is at most what was counted in the last few seconds. Counts that cannot be written wait for the next time. */
export function createQueryMeter(deps: {
  readonly store: Pick<UsageStore, "addQueries">;
  readonly log: Log;
  readonly now: () => number;
  readonly flushMs?: number;
}): QueryMeter {
  const { store, log, now, flushMs = FLUSH_MS } = deps;
  let waiting = new Map<string, QueryCount>();
  let last: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;

  function add({ accountId, projectId, day, queries }: QueryCount): void {
    const key = `${accountId}\n${projectId}\n${day}`;
    const known = waiting.get(key)?.queries ?? 0;
    waiting.set(key, { accountId, projectId, day, queries: known + queries });
  }

  async function write(): Promise<void> {
    const counts = [...waiting.values()];
    waiting = new Map();
    if (counts.length === 0) return;
    try {
      await store.addQueries({ counts });
    } catch (error) {
      log.warn("query_counts_kept", { error });
      // As many as wait at most: where the database is gone for days, days are not counted.
      for (const count of counts) if (waiting.size < MAX_WAITING) add(count);
    }
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    last = last.then(write);
    return last;
  }

  return {
    count({ accountId, projectId }) {
      add({ accountId, projectId, day: dayOf(now()), queries: 1 });
      if (waiting.size >= MAX_WAITING) void flush();
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
    flush,
  };
}

/** Counts the questions that are answered. */
export function countingQueries(queries: QueryService, meter: Pick<QueryMeter, "count">): QueryService {
  return {
    async ask(caller, projectId, question) {
      const answer = await queries.ask(caller, projectId, question);
      meter.count({ accountId: caller.accountId, projectId });
      return answer;
    },
  };
}
