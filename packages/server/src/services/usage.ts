import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { AccountLimits } from "../domain/limits.ts";
import { dayOf, type UsageDay } from "../domain/usage.ts";
import type { AccountUse, UsageStore } from "../ports/usage-store.ts";
import { monthOf } from "./ingestion.ts";

/** UTC days, both inclusive; null = the default. */
export interface UsageRange {
  readonly from: string | null;
  readonly to: string | null;
}

export interface Usage {
  readonly from: string;
  readonly to: string;
  readonly days: readonly UsageDay[];
  readonly use: AccountUse;
  readonly limits: AccountLimits;
  /** Per calendar month; null = no limit. */
  readonly tokenLimit: number | null;
  readonly requestsPerMinute: number | null;
}

export interface UsageService {
  /** Usage of the caller's account, by default of the last 30 days. @throws ServiceError `invalid_input` */
  get(caller: Caller, range: UsageRange): Promise<Usage>;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
/** The earliest day that has four digits for its year. */
const FIRST_DAY = "0000-01-01";

export function createUsageService(deps: {
  readonly store: UsageStore;
  readonly limits: AccountLimits;
  readonly tokenLimit: number | null;
  readonly requestsPerMinute: number | null;
  /** Writes the question counts that are still in memory to the store. */
  readonly flushQueries: () => Promise<void>;
  readonly now: () => number;
}): UsageService {
  const { store, limits, tokenLimit, requestsPerMinute } = deps;
  return {
    async get({ accountId }, range) {
      const now = deps.now();
      const { from, to } = resolveRange(range, now);
      await deps.flushQueries();
      const [days, use] = await Promise.all([
        store.listUsage({ accountId, from, to }),
        store.readAccountUse({ accountId, month: monthOf(now) }),
      ]);
      return { from, to, days, use, limits, tokenLimit, requestsPerMinute };
    },
  };
}

function resolveRange(range: UsageRange, now: number): { readonly from: string; readonly to: string } {
  const to = range.to ?? dayOf(now);
  const from =
    range.from ?? dayOf(Math.max(Date.parse(FIRST_DAY), Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS));
  if (from > to) throw errors.invalidInput(`from: is ${from}, expected a day up to ${to}`);
  if (Date.parse(to) - Date.parse(from) >= MAX_DAYS * DAY_MS) {
    throw errors.invalidInput(`from: is ${from}, expected a range of at most ${MAX_DAYS} days up to ${to}`);
  }
  return { from, to };
}
