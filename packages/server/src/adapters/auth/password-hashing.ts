import { hashPassword, verifyPassword } from "better-auth/crypto";
import { errors } from "../../domain/errors.ts";

/** Each hashing needs 32 MiB and one of the four threads in Node's pool, which file access uses as well. */
const maxRunning = 2;
const maxWaiting = 32;
const retrySeconds = 5;

export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(input: { hash: string; password: string }): Promise<boolean>;
}

/**
 * The library's scrypt, which runs in Node's thread pool and not on the event loop, with a limit of
 * concurrent hashings.
 * @throws ServiceError `too_many_requests` when too many hashings are already waiting.
 */
export function createPasswordHashing(): PasswordHashing {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (running < maxRunning) running++;
    else if (waiting.length >= maxWaiting) {
      throw errors.busy("Too many people are signing in at the moment. Try again.", retrySeconds);
    } else {
      // A finished hashing passes its slot to the next one, so `running` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  }

  return {
    hash: (password) => limited(() => hashPassword(password)),
    verify: (input) => limited(() => verifyPassword(input)),
  };
}
