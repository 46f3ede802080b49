/** How much work of one kind is under way at once: for one account, and for all together. */
import { errors } from "../domain/errors.ts";

export interface AccountSlots {
  /**
   * Takes a place; what it returns gives that back, and may be called again.
   * @throws ServiceError `too_many_requests` where the account has all of its own, `unavailable` where none is left
   */
  take(accountId: string): () => void;
}

const RETRY_SECONDS = 5;

/** `what`: the plural that messages name the work by. */
export function createAccountSlots(options: {
  readonly what: string;
  readonly perAccount: number;
  readonly total: number;
}): AccountSlots {
  const { what, perAccount, total } = options;
  /** By account, without those that have none. */
  const taken = new Map<string, number>();
  let all = 0;

  function giveBack(accountId: string): void {
    all -= 1;
    const rest = (taken.get(accountId) ?? 1) - 1;
    if (rest === 0) taken.delete(accountId);
    else taken.set(accountId, rest);
  }

  return {
    take(accountId) {
      const own = taken.get(accountId) ?? 0;
      if (own >= perAccount) {
        const detail = `At most ${perAccount} ${what} of an account run at once. Try again shortly.`;
        throw errors.busy(detail, RETRY_SECONDS);
      }
      if (all >= total) {
        const detail = `Too many ${what} run at once. Try again shortly.`;
        throw errors.unavailable(detail, { retryAfterSeconds: RETRY_SECONDS });
      }
      taken.set(accountId, own + 1);
      all += 1;
      let isGiven = false;
      return () => {
        if (!isGiven) giveBack(accountId);
        isGiven = true;
      };
    },
  };
}
