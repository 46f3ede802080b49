/** The calls of one thread to one database, in turns by account: a burst of one account delays another's call by a few. */
import { errors } from "../../domain/errors.ts";
import { createTurns, type Turns } from "../../domain/turns.ts";
import { type ReadCurrentWork, UNKNOWN_CALLER } from "../../ports/current-work.ts";
import type { OperationMode } from "./operations/operation.ts";

/**
 * More are refused rather than kept in memory. The service itself, callers who are not known yet, and all accounts together have
 * a part of so many each, which the others cannot take.
 */
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
    if (isFull(turns, accountId)) throw tooManyWaiting();
    return turns.run(call, { accountId, signal: mode === "write" ? null : signal });
  };
}

function isFull({ waiting, waitingOf }: Turns, accountId: string): boolean {
  const own = waitingOf(accountId);
  if (accountId === "" || accountId === UNKNOWN_CALLER) return own >= maxWaiting;
  const ofAccounts = waiting - waitingOf("") - waitingOf(UNKNOWN_CALLER);
  return own >= maxWaitingOfAccount || ofAccounts >= maxWaiting;
}

function tooManyWaiting() {
  return errors.unavailable("The database has too many requests waiting. Try again in a moment.", {
    retryAfterSeconds: 1,
  });
}
