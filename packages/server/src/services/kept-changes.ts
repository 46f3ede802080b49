/** Requests of several transactions, of which a later one fails when an earlier one is kept. */
import { type Store, StoreUnavailableError } from "../ports/store.ts";

interface FollowDeps {
  readonly store: Pick<Store, "applyVersionChanges">;
  readonly now: () => number;
}

/**
 * Applies the project's changes to its graph until it has followed, at the longest for `limitMs`. Upkeep goes on with what is left, also
 * where the database fails: an error would say of the kept change that it was not made.
 */
export async function followChanges(
  projectId: string,
  { store, now }: FollowDeps,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const until = now() + limitMs;
  try {
    while (now() < until && (await store.applyVersionChanges({ projectId, now: now() })));
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
  }
}

/** @throws StoreUnavailableError that says what is kept, where the database fails during `work` */
export async function afterKept<Result>(kept: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new StoreUnavailableError(error.reason, `${kept} ${error.message}`, error);
  }
}
