/** Limits how much work of one kind runs at once: for one account, and for all accounts together. */
import { errors } from "../domain/errors.ts";

export interface AccountSlots {
  /**
   * Takes a slot and returns the function that releases it; calling that function again has no effect.
   *
   * When all slots are taken, the account with the most of those that have a `revoke` loses its oldest one, if it has at least
   * two more than this account: so a few accounts cannot lock out the others. `revoke` is called after the release.
   * @throws ServiceError `too_many_requests` when the account's slots are all taken, `unavailable` when all
   * slots are
   */
  take(accountId: string, revoke?: () => void): () => void;
}

/** A slot that is taken. */
interface Taken {
  readonly accountId: string;
  readonly revoke: (() => void) | null;
}

const RETRY_SECONDS = 5;

/** `what`: the plural noun for the work in error messages. Limits: null = none. The texts say what to do instead. */
export function createAccountSlots(options: {
  readonly what: string;
  readonly perAccount: number | null;
  readonly total: number | null;
  readonly retryAfterSeconds?: number;
  readonly accountIsFull?: string;
  readonly allAreTaken?: string;
}): AccountSlots {
  const { what, perAccount, total, retryAfterSeconds = RETRY_SECONDS } = options;
  const {
    accountIsFull = `At most ${perAccount} ${what} of an account run at once. Try again shortly.`,
    allAreTaken = `Too many ${what} run at once. Try again shortly.`,
  } = options;
  /** Accounts without a slot have no entry, so the map does not grow. */
  const takenByAccount = new Map<string, number>();
  /** In the order in which they were taken. */
  const taken = new Set<Taken>();

  function release(slot: Taken): void {
    if (!taken.delete(slot)) return;
    const remaining = (takenByAccount.get(slot.accountId) ?? 1) - 1;
    if (remaining === 0) takenByAccount.delete(slot.accountId);
    else takenByAccount.set(slot.accountId, remaining);
  }

  function revokeOne(own: number): boolean {
    const oldest = oldestOfLargest(taken, own + 2);
    if (oldest === null) return false;
    release(oldest);
    oldest.revoke?.();
    return true;
  }

  return {
    take(accountId, revoke) {
      const own = takenByAccount.get(accountId) ?? 0;
      if (perAccount !== null && own >= perAccount) throw errors.busy(accountIsFull, retryAfterSeconds);
      if (total !== null && taken.size >= total && !revokeOne(own))
        throw errors.unavailable(allAreTaken, { retryAfterSeconds });
      const slot = { accountId, revoke: revoke ?? null };
      takenByAccount.set(accountId, own + 1);
      taken.add(slot);
      return () => release(slot);
    },
  };
}

/** The oldest slot that can be revoked of the account with the most of these; null where no account has `least`. */
function oldestOfLargest(taken: ReadonlySet<Taken>, least: number): Taken | null {
  const revocable = [...taken].filter(({ revoke }) => revoke !== null);
  const largest = [...Map.groupBy(revocable, ({ accountId }) => accountId).values()].reduce(
    (most, each) => (each.length > most.length ? each : most),
    [],
  );
  return largest.length >= least ? (largest[0] ?? null) : null;
}
