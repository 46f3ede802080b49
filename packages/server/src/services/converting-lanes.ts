/** Which file each lane of this process reads: one lane is for short files while the others are taken, so that two accounts hold up no third one. */
import type { ClaimedConversion } from "../ports/file-store.ts";
import { createAccountLanes } from "./account-lanes.ts";

export interface ConvertingLanes {
  readonly count: number;
  /** Claims for a free lane; null where there is nothing to claim. `claim` is told which accounts it must leave out. */
  take(
    claim: (exceptAccounts: readonly string[]) => Promise<ClaimedConversion | null>,
  ): Promise<ConvertingLane | null>;
}

export interface ConvertingLane {
  readonly job: ClaimedConversion;
  /** Aborts when the file must make way for others; it then begins again in another lane. Only the short lane has a limit. */
  readonly limit: AbortSignal;
  leave(): void;
}

const LANES = 3;
/** For a file in the short lane. */
const SHORT_MS = 30_000;
/** Accounts that are kept out of the short lane. */
const MAX_SLOW = 100;

/** `shortLimit` begins to count when it is called. Default: 30 seconds */
export function createConvertingLanes(
  shortLimit: () => AbortSignal = () => AbortSignal.timeout(SHORT_MS),
): ConvertingLanes {
  const lanes = createAccountLanes<ClaimedConversion | null>({
    lanes: LANES,
    reserved: LANES - 1,
    accountOf: (job) => job?.accountId ?? null,
  });
  /** Lanes in use but the short one. */
  let longLanes = 0;
  /** Whose file took too long in the short lane, until they have had another one. */
  const slow = new Set<string>();

  function noteSlow(accountId: string): void {
    slow.add(accountId);
    if (slow.size > MAX_SLOW) slow.delete([...slow][0] ?? "");
  }

  return {
    count: LANES,
    async take(claim) {
      let isShort = false;
      const taken = await lanes.take(async (others) => {
        isShort = longLanes === LANES - 1;
        const job = await claim(isShort ? [...others, ...slow] : others);
        if (job !== null && !isShort) {
          longLanes++;
          slow.delete(job.accountId);
        }
        return job;
      });
      const { claim: job } = taken;
      if (job === null) return null;
      const limit = isShort ? shortLimit() : new AbortController().signal;
      return {
        job,
        limit,
        leave() {
          if (!isShort) longLanes--;
          if (limit.aborted) noteSlow(job.accountId);
          taken.leave();
        },
      };
    },
  };
}
