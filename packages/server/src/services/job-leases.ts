/** Renews the leases of the jobs that are worked on, and aborts the work on jobs whose lease is lost. */
import { LeaseLostError } from "../engine/ingest/lease-lost.ts";
import type { Log } from "../ports/log.ts";
import type { JobQueue } from "../ports/store.ts";

/** Aborted with a LeaseLostError when the job is no longer held, or with the reason of `ending`. */
export type SignalOf = (jobId: string) => AbortSignal;

export interface JobLeases {
  /** Renews the lease for as long as `work` takes. */
  whileHeld(claim: HeldClaim, work: (signalOf: SignalOf) => Promise<void>): Promise<void>;
  /** Renews all leases now, and aborts the work on jobs that are no longer held. */
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
  /** Aborted when all work must end at once. */
  readonly ending: AbortSignal;
}): JobLeases {
  const { store, leaseMs, now, log, ending } = deps;
  /** One for each claim that is worked on. */
  const checks = new Set<() => Promise<void>>();

  async function renew(leaseToken: string, controllers: ReadonlyMap<string, AbortController>): Promise<void> {
    try {
      const held = new Set(await store.renewLease({ leaseToken, leaseUntil: now() + leaseMs }));
      // Completed jobs are not held either; aborting them has no effect, because nothing of them is under way.
      for (const [jobId, controller] of controllers)
        if (!held.has(jobId)) controller.abort(new LeaseLostError());
    } catch (error) {
      // The next renewal comes before the lease expires; if the lease is lost, the next commit reports it.
      log.warn("lease_renewal_failed", { error });
    }
  }

  return {
    async whileHeld({ leaseToken, jobIds }, work) {
      const controllers = new Map(jobIds.map((jobId) => [jobId, new AbortController()]));
      const check = () => renew(leaseToken, controllers);
      const abortAll = () => {
        for (const controller of controllers.values()) controller.abort(ending.reason);
      };
      const heartbeat = setInterval(() => void check(), leaseMs / RENEWALS_PER_LEASE);
      ending.addEventListener("abort", abortAll, { once: true });
      if (ending.aborted) abortAll();
      checks.add(check);
      try {
        await work((jobId) => controllers.get(jobId)?.signal ?? ending);
      } finally {
        checks.delete(check);
        clearInterval(heartbeat);
        ending.removeEventListener("abort", abortAll);
      }
    },
    async check() {
      await Promise.all([...checks].map((check) => check()));
    },
  };
}
