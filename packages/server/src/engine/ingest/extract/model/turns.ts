/** Lets a bounded number of calls run at a time; the others wait in the order in which they came. */
export interface Turns {
  /** @throws what the work throws */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Nobody waits without a promise that its caller holds: the queue is as long as its callers make it. */
export function createTurns(atATime: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (running >= atATime) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
