/** The calls of one thread to one database, in turns by account: a burst of one account delays another's call by a few. */
import { errors } from "../../domain/errors.ts";
import { createTurns, type Turns } from "../../domain/turns.ts";
import { type ReadCurrentWork, UNKNOWN_CALLER } from "../../ports/current-work.ts";
import { StoreUnavailableError } from "../../ports/store.ts";
import type { OperationMode } from "./operations/operation.ts";
import type { PoolMeter } from "./pool-board.ts";

/**
 * More are refused rather than kept in memory. The service itself, callers who are not known yet, and all accounts together have
 * a part of so many each, which the others cannot take.
 */
const maxWaiting = 2_048;
const maxWaitingOfAccount = 512;

/** A call that has waited for so long is given up, so that its client hears of it. The wait is counted. */
interface WaitLimit {
  readonly waitMs: number;
  readonly meter: PoolMeter;
}

export type RunInTurn = <Result>(mode: OperationMode, call: () => Promise<Result>) => Promise<Result>;

/**
 * A read that nobody waits for any more does not begin. A write does: its client may have sent it without waiting for the
 * response. `limit`: waits have none without it.
 * @throws ServiceError `unavailable` when too many calls wait; StoreUnavailableError "busy" where one has waited too long
 */
export function createCallTurns(options: {
  readonly atOnce: number;
  readonly ofAccount?: number;
  readonly currentWork: ReadCurrentWork;
  readonly limit?: WaitLimit;
}): RunInTurn {
  const { currentWork, limit, ...limits } = options;
  const turns = createTurns(limits);
  return async (mode, call) => {
    const { accountId, signal } = currentWork();
    if (isFull(turns, accountId)) throw tooManyWaiting();
    const wanted = mode === "write" ? null : signal;
    if (limit === undefined) return turns.run(call, { accountId, signal: wanted });
    const wait = limitWait(limit);
    const given = wanted === null ? wait.signal : AbortSignal.any([wanted, wait.signal]);
    const begin = () => {
      wait.end();
      return call();
    };
    return turns.run(begin, { accountId, signal: given }).finally(wait.end);
  };
}

function limitWait({ waitMs, meter }: WaitLimit): { readonly signal: AbortSignal; end(): void } {
  const limit = new AbortController();
  const since = performance.now();
  const timer = setTimeout(() => limit.abort(waitedTooLong(waitMs)), waitMs);
  let hasEnded = false;
  meter.add("waiting", 1);
  return {
    signal: limit.signal,
    end() {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      meter.add("waiting", -1);
      meter.add("waits", 1);
      meter.add("wait_ms", Math.round(performance.now() - since));
    },
  };
}

function waitedTooLong(waitMs: number): StoreUnavailableError {
  return new StoreUnavailableError(
    "busy",
    `All connections of this process to the database were in use for ${waitMs / 1000} seconds. Try again in a few seconds.`,
    undefined,
  );
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
