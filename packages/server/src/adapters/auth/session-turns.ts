/**
 * Lets addresses take turns with the requests that need a session. The accounts library holds the event loop for 15 ms to list 500 keys, and an
 * address may send hundreds of such requests at once.
 */
import { normalizeIP } from "@better-auth/core/utils/ip";
import { errors } from "../../domain/errors.ts";
import { createTurns } from "../../domain/turns.ts";

const atOnce = 4;
const ofAddress = 2;
const maxWaitingOfAddress = 200;
const maxWaiting = 2_000;
const retrySeconds = 5;
/** Requests that check a password have limits and turns of their own (`password-guard.ts`, `password-hashing.ts`). */
const ofPasswords = /\/(?:sign-in\/email|sign-up\/email|change-password)$/;

export interface SessionTurns {
  /** @throws ServiceError `too_many_requests` when too many of the address, or of all, wait */
  run<Result>(request: Request, clientAddress: string, work: () => Promise<Result>): Promise<Result>;
}

/** By address and not by account, because finding the account of a session costs a look-up. */
export function createSessionTurns(): SessionTurns {
  const turns = createTurns({ atOnce, ofAccount: ofAddress });
  return {
    async run(request, clientAddress, work) {
      if (ofPasswords.test(new URL(request.url).pathname)) return work();
      const address = normalizeIP(clientAddress);
      if (turns.waiting >= maxWaiting || turns.waitingOf(address) >= maxWaitingOfAddress)
        throw errors.busy("Too many requests of accounts wait. Try again shortly.", retrySeconds);
      return turns.run(work, { accountId: address, signal: null });
    },
  };
}
