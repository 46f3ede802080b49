/** Runs a few pieces of work of an account at a time. The account's others wait in their order, a bounded number of them. */
import { errors } from "../domain/errors.ts";
import { createTurns } from "../domain/turns.ts";

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
  const turns = createTurns({ ofAccount: atOnce });
  return {
    async run(accountId, work) {
      if (turns.waitingOf(accountId) < maxWaiting) return turns.run(work, { accountId, signal: null });
      const text = `At most ${maxWaiting} ${what} of an account wait. Try again shortly.`;
      throw errors.busy(text, RETRY_SECONDS);
    },
  };
}
