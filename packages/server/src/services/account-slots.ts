/** Limits how much work of one kind runs at once: for one account, and for all accounts together. */
import { errors } from "../domain/errors.ts";

export interface AccountSlots {
  /**
   * Takes a slot and returns the function that releases it; calling that function again has no effect.
   * @throws ServiceError `too_many_requests` when the account's slots are all taken, `unavailable` when all
   * slots are
   */
  take(accountId: string): () => void;
}

const RETRY_SECONDS = 5;

/** `what`: the plural noun for the work in error messages. Limits: null = none. */
export function createAccountSlots(options: {
  readonly what: string;
  readonly perAccount: number | null;
  readonly total: number | null;
  readonly retryAfterSeconds?: number;
}): AccountSlots {
  const { what, perAccount, total, retryAfterSeconds = RETRY_SECONDS } = options;
  /** Accounts without a slot have no entry, so the map does not grow. */
  const takenByAccount = new Map<string, number>();
  let taken = 0;

  function release(accountId: string): void {
    taken -= 1;
    const remaining = (takenByAccount.get(accountId) ?? 1) - 1;
    if (remaining === 0) takenByAccount.delete(accountId);
    else takenByAccount.set(accountId, remaining);
  }

  return {
    take(accountId) {
      const own = takenByAccount.get(accountId) ?? 0;
      if (perAccount !== null && own >= perAccount) {
        const detail = `At most ${perAccount} ${what} of an account run at once. Try again shortly.`;
        throw errors.busy(detail, retryAfterSeconds);
      }
      if (total !== null && taken >= total) {
        const detail = `Too many ${what} run at once. Try again shortly.`;
        throw errors.unavailable(detail, { retryAfterSeconds });
      }
      takenByAccount.set(accountId, own + 1);
      taken += 1;
      let isReleased = false;
      return () => {
        if (!isReleased) release(accountId);
        isReleased = true;
      };
    },
  };
}
