/** A circuit breaker: stops calls to a provider that is down, so that callers fail fast. */
import { isPaused } from "../../../domain/pause.ts";
import type { Clock } from "./clock.ts";

export type BreakerState = "closed" | "open" | "half_open";

/**
 * "probe": a single call that tests whether the provider works again. "refused": no calls until `retryAt`.
 */
export type Entry =
  | { readonly kind: "call"; readonly accountId: string }
  | { readonly kind: "probe"; readonly accountId: string }
  | { readonly kind: "refused"; readonly retryAt: number };

/**
 * "answered": also by a refusal. "failed": all tries failed. "timed_out": so did this, by its time limit, which may be the request's
 * own doing. "unknown": says nothing about the provider, such as an abort by the caller.
 */
export type CallOutcome = "answered" | "failed" | "timed_out" | "unknown";

export interface Breaker {
  /** Asks whether a call of the account may be made now. Every call that is allowed must `leave`. */
  enter(accountId: string): Entry;
  leave(entry: Entry, outcome: CallOutcome): void;
  /** When calls of the account are allowed again; null when they are allowed now. */
  retryAt(accountId: string): number | null;
  /** Whether it is open for any account. */
  state(): BreakerState;
}

const MAX_COOL_DOWN_MS = 5 * 60_000;

/**
 * Opens after `failuresToOpen` consecutive failed calls, for all accounts; if all of these are calls of one account that timed out,
 * for this account alone. Each failed probe doubles the cool-down, up to five minutes.
 */
export function createBreaker(options: {
  readonly failuresToOpen: number;
  readonly coolDownMs: number;
  readonly clock: Pick<Clock, "now">;
}): Breaker {
  const { failuresToOpen, clock } = options;
  let failures = 0;
  /** Whose calls, by timing out, are all of the failures; null = no account's. */
  let onlyAccount: string | null = null;
  let coolDownMs = options.coolDownMs;
  /** null = closed. */
  let openUntil: number | null = null;
  let isProbing = false;

  function open(): void {
    openUntil = clock.now() + coolDownMs;
  }

  const concerns = (accountId: string) => onlyAccount === null || onlyAccount === accountId;

  function close(): void {
    failures = 0;
    coolDownMs = options.coolDownMs;
    openUntil = null;
  }

  function countFailure({ kind, accountId }: Exclude<Entry, { kind: "refused" }>, isTimeout: boolean): void {
    const isOfOne = isTimeout && (failures === 0 || onlyAccount === accountId);
    onlyAccount = isOfOne ? accountId : null;
    failures += 1;
    const isProbe = kind === "probe";
    if (isProbe) {
      coolDownMs = Math.min(MAX_COOL_DOWN_MS, coolDownMs * 2);
      open();
    } else if (openUntil === null && failures >= failuresToOpen) open();
  }

  function retryAt(accountId: string): number | null {
    if (openUntil === null || !concerns(accountId)) return null;
    if (isPaused(clock.now(), { until: openUntil, lengthMs: coolDownMs })) return openUntil;
    return isProbing ? clock.now() + options.coolDownMs : null;
  }

  return {
    enter(accountId) {
      const until = retryAt(accountId);
      if (until !== null) return { kind: "refused", retryAt: until };
      if (openUntil === null || !concerns(accountId)) return { kind: "call", accountId };
      isProbing = true;
      return { kind: "probe", accountId };
    },
    leave(entry, outcome) {
      if (entry.kind === "refused") return;
      if (entry.kind === "probe") isProbing = false;
      if (outcome === "answered") close();
      else if (outcome !== "unknown") countFailure(entry, outcome === "timed_out");
    },
    retryAt,
    state() {
      if (openUntil === null) return "closed";
      return isPaused(clock.now(), { until: openUntil, lengthMs: coolDownMs }) ? "open" : "half_open";
    },
  };
}
