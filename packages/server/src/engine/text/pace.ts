import { setImmediate as turn } from "node:timers/promises";

/**
 * For long work in the main thread. The returned function is called before each piece of work, with its size; it waits for a turn
 * of the event loop where this one has had enough.
 */
export function createPace(mostPerTurn: number): (size: number) => Promise<void> {
  let done = 0;
  return async (size) => {
    done += size;
    if (done <= mostPerTurn) return;
    done = size;
    await turn();
  };
}
