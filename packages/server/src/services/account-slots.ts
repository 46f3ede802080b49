/** Limits how much work of one kind runs at once: for one account, and for all accounts together. */
import { errors } from "../domain/errors.ts";

export interface AccountSlots {
  /** Slots that are taken, of all accounts. */
  readonly taken: number;
  /**
   * Takes a slot, or as many as `size` says, and returns the function that releases them; calling that function again has no
   * effect. What an account takes while it has none may be larger than its limit.
   *
   * When all slots are taken, the account with the most of those that have a `revoke` loses its oldest ones, if it has at
   * least twice the size more than this account: so a few accounts cannot lock out the others. With `graceMs`, an account that has
   * none takes the oldest of all that was taken so long ago. `revoke` is called after the release.
   * @throws ServiceError `too_many_requests` when the account's slots are all taken, `unavailable` when all
   * slots are
   */
  take(accountId: string, revoke?: () => void, size?: number): () => void;
  /** As `take`, but it never throws: first the account's own oldest ones are revoked, then those of others. */
  takeInPlace(accountId: string, revoke: () => void, size: number): () => void;
}

interface Taken {
  readonly accountId: string;
  readonly revoke: (() => void) | null;
  readonly size: number;
  readonly since: number;
}

const RETRY_SECONDS = 5;

/** `what`: the plural noun for the work in error messages. Limits: null = none. The texts say what to do instead. */
export function createAccountSlots(options: {
  readonly what: string;
  readonly perAccount: number | null;
  readonly total: number | null;
  /** Of the total: for accounts that have none. Default: 0 */
  readonly kept?: number;
  readonly graceMs?: number;
  readonly retryAfterSeconds?: number;
  readonly accountIsFull?: string;
  readonly allAreTaken?: string;
}): AccountSlots {
  const { what, retryAfterSeconds = RETRY_SECONDS } = options;
  const { perAccount, total, kept = 0 } = options;
  const {
    accountIsFull = `At most ${perAccount} ${what} of an account run at once. Try again shortly.`,
    allAreTaken = `Too many ${what} run at once. Try again shortly.`,
  } = options;
  /** Accounts without a slot have no entry, so the map does not grow. */
  const takenByAccount = new Map<string, number>();
  /** In the order in which they were taken. */
  const taken = new Set<Taken>();
  let sum = 0;

  const ownOf = (accountId: string) => takenByAccount.get(accountId) ?? 0;
  const isBeyond = (used: number, size: number, limit: number | null) =>
    limit !== null && used > 0 && used + size > limit;

  function add(given: Omit<Taken, "since">): () => void {
    const slot = { ...given, since: performance.now() };
    takenByAccount.set(slot.accountId, ownOf(slot.accountId) + slot.size);
    taken.add(slot);
    sum += slot.size;
    return () => release(slot);
  }

  function release(slot: Taken): void {
    if (!taken.delete(slot)) return;
    sum -= slot.size;
    const remaining = ownOf(slot.accountId) - slot.size;
    if (remaining === 0) takenByAccount.delete(slot.accountId);
    else takenByAccount.set(slot.accountId, remaining);
  }

  /** Revokes the oldest of the account that has the most, if that is at least `least`. */
  function revokeOne(among: Iterable<Taken>, least: number): boolean {
    const oldest = oldestOfLargest(among, least);
    if (oldest !== null) end(oldest);
    return oldest !== null;
  }

  /** The oldest of those that have run for `graceMs`. */
  function oldestAfterGrace(among: Iterable<Taken>): Taken | null {
    const { graceMs = Number.POSITIVE_INFINITY } = options;
    const since = performance.now() - graceMs;
    return [...among].find((slot) => slot.revoke !== null && slot.since <= since) ?? null;
  }

  function end(slot: Taken): void {
    release(slot);
    slot.revoke?.();
  }

  return {
    get taken() {
      return sum;
    },
    take(accountId, revoke, size = 1) {
      const own = ownOf(accountId);
      if (isBeyond(own, size, perAccount)) throw errors.busy(accountIsFull, retryAfterSeconds);
      const limit = total === null || own === 0 ? total : total - kept;
      // What is revoked makes room for this account, even while others fill the places that are kept.
      const rest = new Set(taken);
      let freed = 0;
      while (freed < size && isBeyond(sum - freed, size, limit)) {
        const slot = oldestOfLargest(rest, own + 2 * size) ?? (own === 0 ? oldestAfterGrace(rest) : null);
        if (slot === null) throw errors.unavailable(allAreTaken, { retryAfterSeconds });
        rest.delete(slot);
        freed += slot.size;
      }
      for (const slot of taken) if (!rest.has(slot)) end(slot);
      return add({ accountId, revoke: revoke ?? null, size });
    },
    takeInPlace(accountId, revoke, size) {
      const own = () => [...taken].filter((slot) => slot.accountId === accountId);
      while (isBeyond(ownOf(accountId), size, perAccount) && revokeOne(own(), 1));
      while (isBeyond(sum, size, total) && revokeOne(taken, 1));
      return add({ accountId, revoke, size });
    },
  };
}

/** The oldest slot that can be revoked of the account with the most of these; null where no account has `least`. */
function oldestOfLargest(taken: Iterable<Taken>, least: number): Taken | null {
  const revocable = [...taken].filter(({ revoke }) => revoke !== null);
  const sizeOf = (own: readonly Taken[]) => own.reduce((all, { size }) => all + size, 0);
  const largest = [...Map.groupBy(revocable, ({ accountId }) => accountId).values()].reduce(
    (most, each) => (sizeOf(each) > sizeOf(most) ? each : most),
    [],
  );
  return sizeOf(largest) >= least ? (largest[0] ?? null) : null;
}
