/** The jobs of a claim while they are worked on: their lease is renewed, and who works hears at once which of them are gone. */
import { LeaseLostError } from "../engine/ingest/lease-lost.ts";
import type { Log } from "../ports/log.ts";
import type { JobQueue } from "../ports/store.ts";

/** Aborted with a LeaseLostError when the job is not held any more, or with the reason of `ending`. */
export type SignalOf = (jobId: string) => AbortSignal;

export interface JobLeases {
  /** Works under a lease that is renewed as long as it takes. */
  whileHeld(claim: HeldClaim, work: (signalOf: SignalOf) => Promise<void>): Promise<void>;
  /** Renews all leases now, and looks which jobs are still held under them. */
  check(): Promise<void>;
}

export interface HeldClaim {
  readonly leaseToken: string;
  readonly jobIds: readonly string[];
}

const RENEWALS_PER_LEASE = 4;

export function createJobLeases(deps: {
  readonly store: Pick<JobQueue, "renewLease">;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly log: Log;
  /** Aborted when all work is to end at once. */
  readonly ending: AbortSignal;
}): JobLeases {
  const { store, leaseMs, now, log, ending } = deps;
  /** Of the claims that are worked on. */
  const checks = new Set<() => Promise<void>>();

  async function renew(leaseToken: string, controllers: ReadonlyMap<string, AbortController>): Promise<void> {
    try {
      const held = new Set(await store.renewLease({ leaseToken, leaseUntil: now() + leaseMs }));
      // Those that are done are not held either: nothing of them is under way.
      for (const [jobId, controller] of controllers)
        if (!held.has(jobId)) controller.abort(new LeaseLostError());
    } catch (error) {
      // One that fails is one of several; a lost lease is found out at the next commit.
      log.warn("lease_renewal_failed", { error });
    }
  }

  return {
    async whileHeld({ leaseToken, jobIds }, work) {
      const controllers = new Map(jobIds.map((jobId) => [jobId, new AbortController()]));
      const check = () => renew(leaseToken, controllers);
      const endAll = () => {
        for (const controller of controllers.values()) controller.abort(ending.reason);
      };
      const heartbeat = setInterval(() => void check(), leaseMs / RENEWALS_PER_LEASE);
      ending.addEventListener("abort", endAll, { once: true });
      if (ending.aborted) endAll();
      checks.add(check);
      try {
        await work((jobId) => controllers.get(jobId)?.signal ?? ending);
      } finally {
        checks.delete(check);
        clearInterval(heartbeat);
        ending.removeEventListener("abort", endAll);
      }
    },
    async check() {
      await Promise.all([...checks].map((check) => check()));
    },
  };
}
