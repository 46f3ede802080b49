import { AsyncLocalStorage } from "node:async_hooks";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import { errors } from "../../domain/errors.ts";
import { createFairQueue } from "../../domain/fair-queue.ts";

/** Each hashing needs 32 MiB and one of the four threads in Node's pool, which file access uses as well. */
const maxRunning = 2;
/** Of strangers, and as many of others. */
const maxWaiting = 32;
const maxWaitingOfAddress = 8;
const retrySeconds = 5;
/** The queue of all hashings that are not a stranger's. */
const known = "";

export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(input: { hash: string; password: string }): Promise<boolean>;
}

export interface HashingTurns {
  readonly hashing: PasswordHashing;
  /** Runs work whose hashings are a stranger's from this address. They come after all others, and those of several addresses in turn. */
  ofStranger<Result>(address: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * The library's scrypt, which runs in Node's thread pool and not on the event loop, with a limit of
 * concurrent hashings.
 * @throws ServiceError `too_many_requests` when too many hashings are already waiting.
 */
export function createPasswordHashing(): HashingTurns {
  const strangers = new AsyncLocalStorage<string>();
  const queue = createFairQueue<() => void>();
  let waitingStrangers = 0;
  let running = 0;

  /** A finished hashing passes its slot to the next one, so `running` does not change. */
  async function wait(): Promise<void> {
    const accountId = strangers.getStore() ?? known;
    const isStranger = accountId !== known;
    const waiting = isStranger ? waitingStrangers : queue.sizeOf(known);
    if (waiting >= maxWaiting || (isStranger && queue.sizeOf(accountId) >= maxWaitingOfAddress))
      throw errors.busy("Too many people are signing in at the moment. Try again.", retrySeconds);
    if (isStranger) waitingStrangers++;
    await new Promise<void>((resolve) => queue.push(resolve, { accountId, isUrgent: !isStranger }));
    if (isStranger) waitingStrangers--;
  }

  async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (running < maxRunning) running++;
    else await wait();
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) running--;
      else next();
    }
  }

  return {
    hashing: {
      hash: (password) => limited(() => hashPassword(password)),
      verify: (input) => limited(() => verifyPassword(input)),
    },
    ofStranger: (address, work) => strangers.run(address, work),
  };
}
