/** A circuit breaker: stops calls to a provider that is down, so that callers fail fast. */
import { isPaused } from "../../../domain/pause.ts";
import type { Clock } from "./clock.ts";

export type BreakerState = "closed" | "open" | "half_open";

/**
 * "probe": a single call that tests whether the provider works again. "refused": no calls until `retryAt`.
 */
export type Entry =
  | { readonly kind: "call" }
  | { readonly kind: "probe" }
  | { readonly kind: "refused"; readonly retryAt: number };

/**
 * "answered": also by a refusal. "failed": all tries failed. "unknown": says nothing about the provider, such
 * as an abort by the caller.
 */
export type CallOutcome = "answered" | "failed" | "unknown";

export interface Breaker {
  /** Asks whether a call may be made now. Every call that is allowed must `leave`. */
  enter(): Entry;
  leave(entry: Entry, outcome: CallOutcome): void;
  /** When calls are allowed again; null when they are allowed now. */
  retryAt(): number | null;
  state(): BreakerState;
}

const MAX_COOL_DOWN_MS = 5 * 60_000;

/**
 * Opens after `failuresToOpen` consecutive failed calls. Each failed probe doubles the cool-down, up to five
 * minutes.
 */
export function createBreaker(options: {
  readonly failuresToOpen: number;
  readonly coolDownMs: number;
  readonly clock: Pick<Clock, "now">;
}): Breaker {
  const { failuresToOpen, clock } = options;
  let failures = 0;
  let coolDownMs = options.coolDownMs;
  /** null = closed. */
  let openUntil: number | null = null;
  let isProbing = false;

  function open(): void {
    openUntil = clock.now() + coolDownMs;
  }

  function close(): void {
    failures = 0;
    coolDownMs = options.coolDownMs;
    openUntil = null;
  }

  function countFailure(isProbe: boolean): void {
    failures += 1;
    if (isProbe) {
      coolDownMs = Math.min(MAX_COOL_DOWN_MS, coolDownMs * 2);
      open();
    } else if (openUntil === null && failures >= failuresToOpen) open();
  }

  function retryAt(): number | null {
    if (openUntil === null) return null;
    if (isPaused(clock.now(), { until: openUntil, lengthMs: coolDownMs })) return openUntil;
    return isProbing ? clock.now() + options.coolDownMs : null;
  }

  return {
    enter() {
      const until = retryAt();
      if (until !== null) return { kind: "refused", retryAt: until };
      if (openUntil === null) return { kind: "call" };
      isProbing = true;
      return { kind: "probe" };
    },
    leave(entry, outcome) {
      if (entry.kind === "refused") return;
      if (entry.kind === "probe") isProbing = false;
      if (outcome === "answered") close();
      else if (outcome === "failed") countFailure(entry.kind === "probe");
    },
    retryAt,
    state() {
      if (openUntil === null) return "closed";
      return isPaused(clock.now(), { until: openUntil, lengthMs: coolDownMs }) ? "open" : "half_open";
    },
  };
}
