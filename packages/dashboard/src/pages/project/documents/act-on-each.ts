/** Does something to many documents, in bounded requests, until all are done, or somebody or the service stops it. */

export interface Task<Item> {
  readonly items: readonly Item[];
  /** Items of one request. */
  readonly size: number;
  /** Requests at the same time. */
  readonly lanes: number;
  readonly act: (items: readonly Item[]) => Promise<unknown>;
}

export interface Outcome<Item> {
  readonly done: number;
  /** What failed, and what was not begun. */
  readonly left: readonly Item[];
  /** Of the first failure; null: there was none. */
  readonly error: unknown;
}

/** `all`: the others would fail as well. A number: in so many seconds it can be tried again. */
export type Verdict = "one" | "all" | number;

export async function actOnEach<Item>(
  { items, size, lanes, act }: Task<Item>,
  {
    judge,
    signal,
    pause,
    onProgress,
  }: {
    readonly judge: (error: unknown) => Verdict;
    readonly signal: AbortSignal;
    /** Resolves after so many seconds, or when it is stopped. */
    readonly pause: (seconds: number) => Promise<unknown>;
    readonly onProgress: (done: number) => void;
  },
): Promise<Outcome<Item>> {
  const failed: Item[] = [];
  let [next, done, isOver] = [0, 0, false];
  let error: unknown = null;

  /** Resolves to whether the batch was done. */
  async function attempt(batch: readonly Item[]): Promise<boolean> {
    for (;;) {
      try {
        await act(batch);
        return true;
      } catch (failure) {
        const verdict = judge(failure);
        if (typeof verdict === "number" && !signal.aborted) {
          await pause(verdict);
          if (!signal.aborted) continue;
        }
        error ??= signal.aborted ? null : failure;
        if (verdict !== "one") isOver = true;
        return false;
      }
    }
  }

  async function goOn(): Promise<void> {
    while (next < items.length && !isOver && !signal.aborted) {
      const batch = items.slice(next, next + size);
      next += batch.length;
      if (await attempt(batch)) done += batch.length;
      else failed.push(...batch);
      onProgress(done);
    }
  }

  await Promise.all(Array.from({ length: lanes }, goOn));
  return { done, left: [...failed, ...items.slice(next)], error };
}
