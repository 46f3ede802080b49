/** A mutex between threads, in one word of shared memory (Drepper, "Futexes are tricky", 2011, mutex 2). */

export interface SharedLock {
  /** Runs `work` while this thread alone holds the lock. Calls must not be nested. */
  hold<Result>(work: () => Result): Result;
}

const FREE = 0;
const HELD = 1;
/** Held, and another thread may be sleeping until it is free. */
const HELD_WITH_WAITERS = 2;
/** Work under the lock takes far less than a second; a longer wait means that the holder has died. */
const WAIT_LIMIT_MS = 10_000;

/**
 * Creates the lock in the word `at` of `words`, which must initially be 0. Waiting blocks the thread,
 * including its event loop. `hold` throws an Error if the lock is not released within ten seconds.
 */
export function createSharedLock(words: Int32Array, at: number): SharedLock {
  function sleepUntilFree(): void {
    const end = performance.now() + WAIT_LIMIT_MS;
    while (Atomics.exchange(words, at, HELD_WITH_WAITERS) !== FREE) {
      const remainingMs = end - performance.now();
      if (remainingMs <= 0)
        throw new Error("the shared memory of the search index is locked by a thread that has died");
      Atomics.wait(words, at, HELD_WITH_WAITERS, remainingMs);
    }
  }

  return {
    hold(work) {
      if (Atomics.compareExchange(words, at, FREE, HELD) !== FREE) sleepUntilFree();
      try {
        return work();
      } finally {
        if (Atomics.exchange(words, at, FREE) === HELD_WITH_WAITERS) Atomics.notify(words, at, 1);
      }
    },
  };
}
