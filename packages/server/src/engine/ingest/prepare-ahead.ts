/** Prepares batches while those before them are committed. */
import { setImmediate } from "node:timers/promises";

export interface Ahead<Prepared> {
  /** The next batch once it is prepared, in their order; null behind the last one that was begun. */
  take(): Promise<Prepared | null>;
  /** Begins the next ones, as many as may be under way. */
  fill(): void;
  /** True when none that has begun is left to take. */
  isEmpty(): boolean;
}

/**
 * Begins at once. `batches` may yield null where others are to have their turn. A batch that cannot be prepared throws where it is
 * taken; nobody need take those behind it.
 */
export function prepareAhead<Batch, Prepared>(
  batches: Generator<Batch | null>,
  { atOnce, prepare }: { readonly atOnce: number; readonly prepare: (batch: Batch) => Promise<Prepared> },
): Ahead<Prepared> {
  const begun: Promise<Prepared | null>[] = [];
  /** One after the other, so that a pause of one does not let a later one pass. */
  let lastTaken: Promise<unknown> = Promise.resolve();

  async function takeBatch(): Promise<Batch | null> {
    for (;;) {
      const next = batches.next();
      if (next.done === true) return null;
      if (next.value !== null) return next.value;
      await setImmediate(); // Other lanes, heartbeats and the drain get their turn.
    }
  }

  function begin(): Promise<Prepared | null> {
    const taken = lastTaken.then(takeBatch);
    lastTaken = taken.catch(() => undefined);
    const prepared = taken.then((batch) => (batch === null ? null : prepare(batch)));
    prepared.catch(() => undefined); // Awaited where it is taken, if it is.
    return prepared;
  }

  const ahead: Ahead<Prepared> = {
    take: async () => begun.shift() ?? null,
    fill() {
      while (begun.length < atOnce) begun.push(begin());
    },
    isEmpty: () => begun.length === 0,
  };
  ahead.fill();
  return ahead;
}
