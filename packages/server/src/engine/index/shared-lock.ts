/** A mutual exclusion between threads: one word of shared memory (Drepper, "Futexes are tricky", 2011, mutex 2). */

export interface SharedLock {
  /** Runs `work` while no other thread runs any under this lock. Not to be nested. */
  hold<Result>(work: () => Result): Result;
}

const FREE = 0;
const HELD = 1;
/** Held, and somebody may sleep until it is free. */
const AWAITED = 2;
/** What is done under the lock takes far below a second; longer means that its holder is gone. */
const WAIT_LIMIT_MS = 10_000;

/**
 * The lock in the word `at` of `words`, which must begin as 0. A thread that waits sleeps, event loop and all.
 * `hold` throws an Error where the lock does not come free within ten seconds.
 */
export function createSharedLock(words: Int32Array, at: number): SharedLock {
  function sleepUntilFree(): void {
    const end = performance.now() + WAIT_LIMIT_MS;
    while (Atomics.exchange(words, at, AWAITED) !== FREE) {
      const left = end - performance.now();
      if (left <= 0)
        throw new Error("the shared memory of the search index is locked by a thread that is gone");
      Atomics.wait(words, at, AWAITED, left);
    }
  }

  return {
    hold(work) {
      if (Atomics.compareExchange(words, at, FREE, HELD) !== FREE) sleepUntilFree();
      try {
        return work();
      } finally {
        if (Atomics.exchange(words, at, FREE) === AWAITED) Atomics.notify(words, at, 1);
      }
    },
  };
}
