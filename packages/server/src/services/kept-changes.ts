/** Requests of several transactions, of which a later one fails when an earlier one is kept. */
import { ServiceError } from "../domain/errors.ts";
import type { Log } from "../ports/log.ts";
import { type Store, StoreUnavailableError } from "../ports/store.ts";

interface FollowDeps {
  readonly store: Pick<Store, "applyVersionChanges">;
  readonly now: () => number;
}

/** Applies the project's changes to its graph until it has followed, at the longest for `limitMs`. Upkeep goes on with what is left. */
export async function applyChanges(
  projectId: string,
  { store, now }: FollowDeps,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const until = now() + limitMs;
  while (now() < until && (await store.applyVersionChanges({ projectId, now: now() })));
}

/** As `applyChanges`, after a change that is kept: where the database fails now, an error would say of it that it was not made. */
export async function followKeptChange(
  projectId: string,
  deps: FollowDeps & { readonly log: Pick<Log, "warn"> },
  limitMs?: number,
): Promise<void> {
  try {
    await applyChanges(projectId, deps, limitMs);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    deps.log.warn("graph_follows_later", { projectId, error });
  }
}

/** @throws StoreUnavailableError or ServiceError that says what is kept, where `work` throws one */
export async function afterKept<Result>(kept: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? `${kept} ${error.message}` : kept;
    if (error instanceof StoreUnavailableError) throw new StoreUnavailableError(error.reason, message, error);
    if (!(error instanceof ServiceError)) throw error;
    const { kind, retryAfterSeconds, severity } = error;
    const again = retryAfterSeconds === null ? {} : { retryAfterSeconds };
    throw new ServiceError(kind, message, { ...again, severity, cause: error });
  }
}
