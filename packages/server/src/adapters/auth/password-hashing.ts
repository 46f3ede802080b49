import { hashPassword, verifyPassword } from "better-auth/crypto";
import { errors } from "../../domain/errors.ts";

/** Each hashing takes 32 MiB and a thread of Node's pool of four, which file access needs too. */
const maxRunning = 2;
const maxWaiting = 32;
const retrySeconds = 5;

export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(input: { hash: string; password: string }): Promise<boolean>;
}

/**
 * The library's scrypt (in Node's thread pool, not on the event loop), a bounded number at a time.
 * @throws ServiceError `too_many_requests` when too many wait already.
 */
export function createPasswordHashing(): PasswordHashing {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function limited<T>(work: () => Promise<T>): Promise<T> {
    if (running < maxRunning) running++;
    else if (waiting.length >= maxWaiting) {
      throw errors.busy("Too many people are signing in at the moment. Try again.", retrySeconds);
    } else {
      // Whoever finishes hands its place over, so `running` stays as it is.
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
