/** A circuit breaker: stops calls to a provider that is down, so that callers fail fast. */
import { isPaused } from "../../../domain/pause.ts";
import type { Clock } from "./clock.ts";

export type BreakerState = "closed" | "open" | "half_open";

interface Circuit {
  /** In a row. */
  failures: number;
  coolDownMs: number;
  /** null = closed. */
  openUntil: number | null;
  /** Others wait for the probe until then; null = none. */
  probingUntil: number | null;
}

/**
 * "probe": a single call that tests whether the provider works again. "refused": no calls until `retryAt`.
 */
export type Entry =
  | { readonly kind: "call"; readonly accountId: string }
  | { readonly kind: "probe"; readonly accountId: string; readonly of: readonly Circuit[] }
  | { readonly kind: "refused"; readonly retryAt: number };

/**
 * "answered": also by a refusal. "failed": all tries failed, which may be the request's own doing. "unreachable": so did they, for want
 * of a connection. "unknown": says nothing about the provider, such as an abort by the caller.
 */
export type CallOutcome = "answered" | "failed" | "unreachable" | "unknown";

export interface Breaker {
  /** Asks whether a call of the account may be made now. Every call that is allowed must `leave`. */
  enter(accountId: string): Entry;
  leave(entry: Entry, outcome: CallOutcome): void;
  /** When calls of the account are allowed again; null when they are allowed now. */
  retryAt(accountId: string): number | null;
  /** Whether it is open for all accounts, or for one that has failed since the last answer to any. */
  state(): BreakerState;
}

const MAX_COOL_DOWN_MS = 5 * 60_000;
/** That failed last; those that failed longest ago are forgotten. */
const MAX_ACCOUNTS = 1_000;

/**
 * Opens for an account after `failuresToOpen` consecutive failed calls of it, until one of its calls is answered: a text can make a provider
 * fail. Opens for all accounts after as many in a row that did not reach the provider, until one reaches it. Each failed probe doubles the
 * cool-down, up to five minutes.
 */
export function createBreaker(options: {
  readonly failuresToOpen: number;
  readonly coolDownMs: number;
  readonly clock: Pick<Clock, "now">;
}): Breaker {
  const { failuresToOpen, coolDownMs, clock } = options;
  let shared = closed(coolDownMs);
  /** Of the accounts whose last call failed, by when it did. */
  const accounts = new Map<string, Circuit>();
  /** Those that have failed since the last answer to any account. */
  const latest = new Set<Circuit>();

  function circuitOf(accountId: string): Circuit {
    const circuit = accounts.get(accountId) ?? closed(coolDownMs);
    accounts.delete(accountId);
    accounts.set(accountId, circuit);
    const [oldest = ""] = accounts.keys();
    if (accounts.size > MAX_ACCOUNTS) forget(oldest);
    latest.add(circuit);
    return circuit;
  }

  function forget(accountId: string): void {
    const circuit = accounts.get(accountId);
    accounts.delete(accountId);
    if (circuit !== undefined) latest.delete(circuit);
  }

  function countFailure(circuit: Circuit, probed: readonly Circuit[]): void {
    circuit.failures += 1;
    const wasProbed = probed.includes(circuit);
    const isDue = circuit.openUntil === null && circuit.failures >= failuresToOpen;
    if (wasProbed) circuit.coolDownMs = Math.min(MAX_COOL_DOWN_MS, circuit.coolDownMs * 2);
    if (wasProbed || isDue) circuit.openUntil = clock.now() + circuit.coolDownMs;
  }

  function countAnswer(accountId: string): void {
    forget(accountId);
    latest.clear();
    // The provider works, so each of the others may probe at once whether it does for its own calls.
    for (const circuit of accounts.values()) if (isOpen(circuit)) circuit.openUntil = clock.now();
  }

  const circuitsOf = (accountId: string) =>
    [shared, accounts.get(accountId)].filter((circuit) => circuit !== undefined);

  function retryAt(accountId: string): number | null {
    const now = clock.now();
    const waits = circuitsOf(accountId).flatMap(({ openUntil, probingUntil, coolDownMs: lengthMs }) =>
      [openUntil, probingUntil].filter((until) => until !== null && isPaused(now, { until, lengthMs })),
    );
    return waits.length === 0 ? null : Math.max(...waits.map((until) => until ?? 0));
  }

  return {
    enter(accountId) {
      const until = retryAt(accountId);
      if (until !== null) return { kind: "refused", retryAt: until };
      const of = circuitsOf(accountId).filter(isOpen);
      // A text that hangs the provider keeps nobody out for longer.
      for (const circuit of of) circuit.probingUntil = clock.now() + coolDownMs;
      return of.length === 0 ? { kind: "call", accountId } : { kind: "probe", accountId, of };
    },
    leave(entry, outcome) {
      if (entry.kind === "refused") return;
      const probed = entry.kind === "probe" ? entry.of : [];
      for (const circuit of probed) circuit.probingUntil = null;
      if (outcome === "unreachable") countFailure(shared, probed);
      if (outcome === "failed") countFailure(circuitOf(entry.accountId), probed);
      if (outcome === "failed" || outcome === "answered") shared = closed(coolDownMs);
      if (outcome === "answered") countAnswer(entry.accountId);
    },
    retryAt,
    state() {
      const circuits = [shared, ...latest].filter(isOpen);
      if (circuits.length === 0) return "closed";
      return circuits.some((circuit) => isCooling(circuit, clock.now())) ? "open" : "half_open";
    },
  };
}

function closed(coolDownMs: number): Circuit {
  return { failures: 0, coolDownMs, openUntil: null, probingUntil: null };
}

function isOpen({ openUntil }: Circuit): boolean {
  return openUntil !== null;
}

function isCooling({ openUntil, coolDownMs }: Circuit, now: number): boolean {
  return openUntil !== null && isPaused(now, { until: openUntil, lengthMs: coolDownMs });
}
