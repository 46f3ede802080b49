/** Runs a few pieces of work of an account at a time. The account's others wait in their order. */
import { errors } from "../domain/errors.ts";

export interface AccountQueue {
  /** @throws ServiceError `too_many_requests` when too many pieces of the account's work wait */
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
}

const RETRY_SECONDS = 5;

/** `what`: the plural noun for the work in error messages. Limits are those of one account. */
export function createAccountQueue(options: {
  readonly what: string;
  readonly atOnce: number;
  readonly maxWaiting: number;
}): AccountQueue {
  const { what, atOnce, maxWaiting } = options;
  /** Accounts without work have no entry, so the map does not grow. */
  const accounts = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  return {
    async run(accountId, work) {
      const own = accounts.get(accountId) ?? { running: 0, waiting: [] };
      accounts.set(accountId, own);
      if (own.waiting.length >= maxWaiting)
        throw errors.busy(
          `At most ${maxWaiting} ${what} of an account wait. Try again shortly.`,
          RETRY_SECONDS,
        );
      if (own.running < atOnce) own.running++;
      else await new Promise<void>((resolve) => own.waiting.push(resolve));
      try {
        return await work();
      } finally {
        // The place passes to the next one without being free in between.
        const next = own.waiting.shift();
        if (next === undefined) own.running--;
        else next();
        if (own.running === 0) accounts.delete(accountId);
      }
    },
  };
}
