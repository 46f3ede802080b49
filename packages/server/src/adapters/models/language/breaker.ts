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
  isProbing: boolean;
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
 * fail. Opens for all accounts after as many in a row of two accounts or more, or that did not reach the provider, until any call is
 * answered. Each failed probe doubles the cool-down, up to five minutes; for all accounts, only one of an account that had not failed.
 */
export function createBreaker(options: {
  readonly failuresToOpen: number;
  readonly coolDownMs: number;
  readonly clock: Pick<Clock, "now">;
}): Breaker {
  const { failuresToOpen, coolDownMs, clock } = options;
  let shared = closed(coolDownMs);
  const accounts = createFailingAccounts(coolDownMs);

  const isDue = ({ openUntil, failures }: Circuit) => openUntil === null && failures >= failuresToOpen;

  function countFailure(accountId: string, probed: readonly Circuit[]): void {
    const { circuit, isFirst } = accounts.add(accountId);
    const wasOpen = circuit.openUntil !== null;
    circuit.failures += 1;
    if (probed.length > 0 || isDue(circuit)) open(circuit, clock.now(), probed.includes(circuit));
    if (probed.includes(shared)) {
      if (isFirst) open(shared, clock.now(), true);
    } else if (!wasOpen) {
      shared.failures += 1;
      if (accounts.sinceAnswer().length > 1 && isDue(shared)) open(shared, clock.now(), false);
    }
  }

  function countUnreachable(probed: readonly Circuit[]): void {
    shared.failures += 1;
    const wasProbed = probed.includes(shared);
    if (wasProbed || isDue(shared)) open(shared, clock.now(), wasProbed);
  }

  const circuitsOf = (accountId: string) =>
    [shared, accounts.find(accountId)].filter((circuit) => circuit !== undefined);

  function retryAt(accountId: string): number | null {
    const now = clock.now();
    const waits = circuitsOf(accountId).flatMap((circuit) => {
      if (isCooling(circuit, now)) return circuit.openUntil ?? [];
      return circuit.isProbing ? now + coolDownMs : [];
    });
    return waits.length === 0 ? null : Math.max(...waits);
  }

  return {
    enter(accountId) {
      const until = retryAt(accountId);
      if (until !== null) return { kind: "refused", retryAt: until };
      const of = circuitsOf(accountId).filter(isOpen);
      for (const circuit of of) circuit.isProbing = true;
      return of.length === 0 ? { kind: "call", accountId } : { kind: "probe", accountId, of };
    },
    leave(entry, outcome) {
      if (entry.kind === "refused") return;
      const probed = entry.kind === "probe" ? entry.of : [];
      for (const circuit of probed) circuit.isProbing = false;
      if (outcome === "failed") countFailure(entry.accountId, probed);
      if (outcome === "unreachable") countUnreachable(probed);
      if (outcome !== "answered") return;
      shared = closed(coolDownMs);
      accounts.answered(entry.accountId, clock.now());
    },
    retryAt,
    state() {
      const circuits = [shared, ...accounts.sinceAnswer()].filter(isOpen);
      if (circuits.length === 0) return "closed";
      return circuits.some((circuit) => isCooling(circuit, clock.now())) ? "open" : "half_open";
    },
  };
}

function closed(coolDownMs: number): Circuit {
  return { failures: 0, coolDownMs, openUntil: null, isProbing: false };
}

function open(circuit: Circuit, now: number, wasProbed: boolean): void {
  if (wasProbed) circuit.coolDownMs = Math.min(MAX_COOL_DOWN_MS, circuit.coolDownMs * 2);
  circuit.openUntil = now + circuit.coolDownMs;
}

function isOpen({ openUntil }: Circuit): boolean {
  return openUntil !== null;
}

function isCooling({ openUntil, coolDownMs }: Circuit, now: number): boolean {
  return openUntil !== null && isPaused(now, { until: openUntil, lengthMs: coolDownMs });
}

/** The circuits of the accounts whose last call failed. */
function createFailingAccounts(coolDownMs: number) {
  const circuits = new Map<string, Circuit>();
  /** Those that have failed since the last answer to any account. */
  const latest = new Map<string, Circuit>();
  return {
    find: (accountId: string) => circuits.get(accountId),

    /** `isFirst`: it had not failed since the last answer to any account. */
    add(accountId: string) {
      const isFirst = !latest.has(accountId);
      const circuit = circuits.get(accountId) ?? closed(coolDownMs);
      for (const map of [circuits, latest]) {
        map.delete(accountId);
        map.set(accountId, circuit);
        const [oldest = ""] = map.keys();
        if (map.size > MAX_ACCOUNTS) map.delete(oldest);
      }
      return { circuit, isFirst };
    },

    sinceAnswer: () => [...latest.values()],

    answered(accountId: string, now: number) {
      circuits.delete(accountId);
      latest.clear();
      // The provider works, so each of the others may probe at once whether it does for its own calls.
      for (const circuit of circuits.values()) if (isOpen(circuit)) circuit.openUntil = now;
    },
  };
}
