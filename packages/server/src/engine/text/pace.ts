import { setImmediate as turn } from "node:timers/promises";

export type Pace = (size: number) => Promise<void>;

/**
 * For long work in the main thread. The returned function is called before each piece of work, with its size; it waits for a turn
 * of the event loop where this one has had enough.
 */
export function createPace(mostPerTurn: number): Pace {
  let done = 0;
  return async (size) => {
    done += size;
    if (done <= mostPerTurn) return;
    done = size;
    await turn();
  };
}

const ITEMS_PER_PIECE = 250;

/** Visits all items, each of which counts as work of size 1. */
export async function visitAtPace<Item>(
  items: readonly Item[],
  pace: Pace,
  visit: (item: Item) => void,
): Promise<void> {
  for (let from = 0; from < items.length; from += ITEMS_PER_PIECE) {
    const end = Math.min(from + ITEMS_PER_PIECE, items.length);
    await pace(end - from);
    for (const item of items.slice(from, end)) visit(item);
  }
}
