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

export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(input: { hash: string; password: string }): Promise<boolean>;
}

export interface HashingPlace {
  readonly address: string;
  readonly isStranger: boolean;
}

export interface HashingTurns {
  readonly hashing: PasswordHashing;
  /** Runs work whose hashings are of this address: those of several addresses come in turn, those of strangers after all others. */
  ofAddress<Result>(from: HashingPlace, work: () => Promise<Result>): Promise<Result>;
}

/**
 * The library's scrypt, which runs in Node's thread pool and not on the event loop, with a limit of
 * concurrent hashings.
 * @throws ServiceError `too_many_requests` when too many hashings are already waiting.
 */
export function createPasswordHashing(): HashingTurns {
  const places = new AsyncLocalStorage<HashingPlace>();
  const queue = createFairQueue<() => void>();
  const waiting = { strangers: 0, others: 0 };
  let running = 0;

  /** A finished hashing passes its slot to the next one, so `running` does not change. */
  async function wait(): Promise<void> {
    const { address, isStranger } = places.getStore() ?? { address: "", isStranger: false };
    const [kind, accountId] = isStranger
      ? (["strangers", `stranger at ${address}`] as const)
      : (["others", address] as const);
    const isFullOfAddress = address !== "" && queue.sizeOf(accountId) >= maxWaitingOfAddress;
    if (waiting[kind] >= maxWaiting || isFullOfAddress)
      throw errors.busy("Too many people are signing in at the moment. Try again.", retrySeconds);
    waiting[kind]++;
    await new Promise<void>((resolve) => queue.push(resolve, { accountId, isUrgent: !isStranger }));
    waiting[kind]--;
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
    ofAddress: (from, work) => places.run(from, work),
  };
}
