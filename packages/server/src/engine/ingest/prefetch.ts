/** Prepares the next batches while the current one is committed. */
import { setImmediate } from "node:timers/promises";

export interface Prefetcher<Prepared> {
  /** The next prepared batch, in the order of the source; null after the last one that was started. */
  take(): Promise<Prepared | null>;
  /** Starts batches until `depth` of them are under way. */
  fill(): void;
  /** True when every batch that was started has been taken. */
  isEmpty(): boolean;
}

/**
 * Starts the first `depth` batches at once. Where `batches` yields null, the event loop gets a turn. A batch whose preparation
 * fails rejects in `take`; the batches after it need not be taken.
 */
export function prefetch<Batch, Prepared>(
  batches: Generator<Batch | null>,
  { depth, prepare }: { readonly depth: number; readonly prepare: (batch: Batch) => Promise<Prepared> },
): Prefetcher<Prepared> {
  const started: Promise<Prepared | null>[] = [];
  /** The generator is read by one caller at a time; otherwise a pause of one would let a later one overtake it. */
  let lastRead: Promise<unknown> = Promise.resolve();

  async function readBatch(): Promise<Batch | null> {
    for (;;) {
      const next = batches.next();
      if (next.done === true) return null;
      if (next.value !== null) return next.value;
      await setImmediate(); // The thread's other tasks, lease renewals and the shutdown get a turn.
    }
  }

  function start(): Promise<Prepared | null> {
    const read = lastRead.then(readBatch);
    lastRead = read.catch(() => undefined);
    const prepared = read.then((batch) => (batch === null ? null : prepare(batch)));
    prepared.catch(() => undefined); // `take` rejects with it; without a `take` it must not count as unhandled.
    return prepared;
  }

  const prefetcher: Prefetcher<Prepared> = {
    take: async () => started.shift() ?? null,
    fill() {
      while (started.length < depth) started.push(start());
    },
    isEmpty: () => started.length === 0,
  };
  prefetcher.fill();
  return prefetcher;
}
