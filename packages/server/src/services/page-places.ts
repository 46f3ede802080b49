/** Limits how many pages are fetched at once, beside the lanes that read files: a page may not come for a minute. */
import { ServiceError } from "../domain/errors.ts";
import { createAccountSlots } from "./account-slots.ts";

export interface PagePlaces {
  readonly count: number;
  /** Accounts that must wait until a place is free: their files wait, too. */
  readonly waiting: readonly string[];
  /** Returns what gives the place back; null where there is none for the account, which waits from then on. */
  take(accountId: string): (() => void) | null;
}

const PLACES = { what: "fetches of pages", perAccount: 3, total: 9, kept: 3 } as const;
/** Of accounts that wait. */
const MAX_WAITING = 100;

export function createPagePlaces(): PagePlaces {
  const slots = createAccountSlots(PLACES);
  const waiting = new Set<string>();
  return {
    count: PLACES.total,
    get waiting() {
      return [...waiting];
    },
    take(accountId) {
      try {
        const leave = slots.take(accountId);
        return () => {
          leave();
          waiting.clear();
        };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (waiting.size < MAX_WAITING) waiting.add(accountId);
        return null;
      }
    },
  };
}
