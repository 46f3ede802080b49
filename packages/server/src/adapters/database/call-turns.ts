/** The calls of one thread to one database, in turns by account: a burst of one account delays another's call by a few. */
import { errors } from "../../domain/errors.ts";
import { createTurns } from "../../domain/turns.ts";
import type { ReadCurrentWork } from "../../ports/current-work.ts";
import type { OperationMode } from "./operations/operation.ts";

/** More are refused rather than kept in memory. */
const maxWaiting = 2_048;
const maxWaitingOfAccount = 512;

export type RunInTurn = <Result>(mode: OperationMode, call: () => Promise<Result>) => Promise<Result>;

/**
 * A read that nobody waits for any more does not begin. A write does: its client may have sent it without waiting for the
 * response.
 * @throws ServiceError `unavailable` when too many calls wait
 */
export function createCallTurns(options: {
  readonly atOnce: number;
  readonly ofAccount?: number;
  readonly currentWork: ReadCurrentWork;
}): RunInTurn {
  const { currentWork, ...limits } = options;
  const turns = createTurns(limits);
  return async (mode, call) => {
    const { accountId, signal } = currentWork();
    const isFull = accountId !== "" && turns.waitingOf(accountId) >= maxWaitingOfAccount;
    if (isFull || turns.waiting >= maxWaiting) throw tooManyWaiting();
    return turns.run(call, { accountId, signal: mode === "write" ? null : signal });
  };
}

function tooManyWaiting() {
  return errors.unavailable("The database has too many requests waiting. Try again in a moment.", {
    retryAfterSeconds: 1,
  });
}
