/** Metrics of the database that the processes share, and of the processes as this one sees them. */
import { Gauge, Registry } from "prom-client";
import { hasWorker, PROCESS_DIFFERENCES } from "./domain/service-process.ts";
import type { Store, StoreCounts } from "./ports/store.ts";
import type { ProcessRegistration } from "./services/processes.ts";

/** The part of a registration that metrics and readiness show. */
export type ProcessReport = Pick<
  ProcessRegistration,
  "running" | "differences" | "isWorkLeft" | "isOlder" | "isReporter" | "fault"
>;

/**
 * Gauges of the queue in a registry of their own. Counting is work for the database, and a sum over the processes should be the number, so one of them
 * reports. `registration`: null where the database has one process. `read` gives null in the others. @throws what the store throws
 */
export function createQueueMetrics(deps: {
  readonly store: Pick<Store, "readCounts">;
  readonly registration: ProcessReport | null;
  readonly now: () => number;
}): { read(): Promise<Registry | null> } {
  const { store, registration, now } = deps;
  const registry = new Registry();
  const show = registerCounts(registry);
  if (registration !== null) registerWithoutWorker(registry, registration);
  return {
    async read() {
      if (registration?.isReporter() === false) return null;
      show(await store.readCounts(), now());
      return registry;
    },
  };
}

function registerCounts(registry: Registry) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const projects = gauge("kcs_projects", "Projects.");
  const pending = gauge("kcs_jobs_pending", "Jobs that wait.");
  const running = gauge("kcs_jobs_running", "Jobs that are worked on.");
  const failed = gauge("kcs_jobs_failed", "Jobs that have failed and are kept.");
  const jobAge = gauge(
    "kcs_job_oldest_seconds",
    "Age of the oldest job that has not ended; 0 when there is none.",
  );
  const events = gauge("kcs_webhook_deliveries_waiting", "Events that are still to be sent to webhooks.");
  const eventAge = gauge(
    "kcs_webhook_delivery_oldest_seconds",
    "Age of the oldest event that is still to be sent.",
  );
  const lockWaits = gauge(
    "kcs_database_lock_waits",
    "Statements of PostgreSQL that wait for a lock of others.",
  );
  return (counts: StoreCounts, now: number): void => {
    const ageOf = (at: number | null) => (at === null ? 0 : Math.max(0, now - at) / 1000);
    jobAge.set(ageOf(counts.oldestJobAt));
    events.set(counts.deliveriesWaiting);
    eventAge.set(ageOf(counts.oldestDeliveryAt));
    projects.set(counts.projects);
    pending.set(counts.jobsPending);
    running.set(counts.jobsRunning);
    failed.set(counts.jobsFailed);
    lockWaits.set(counts.lockWaits);
  };
}

function registerWithoutWorker(registry: Registry, { isWorkLeft }: ProcessReport): void {
  new Gauge({
    name: "kcs_jobs_without_worker",
    help: "1: jobs wait, and no running process of the database works on jobs.",
    registers: [registry],
    async collect() {
      this.set((await isWorkLeft()) ? 1 : 0);
    },
  });
}

export function registerProcessMetrics(registry: Registry, { running, differences }: ProcessReport): void {
  new Gauge({
    name: "kcs_workers",
    help: "Running processes of the database that work on jobs.",
    registers: [registry],
    collect() {
      this.set(running().filter((process) => hasWorker([process])).length);
    },
  });
  new Gauge({
    name: "kcs_processes",
    help: "Running processes of the database.",
    registers: [registry],
    collect() {
      this.set(running().length);
    },
  });
  new Gauge({
    name: "kcs_processes_differ",
    help: "1: the running processes of the database differ in this, which should be the same in all of them.",
    labelNames: ["difference"],
    registers: [registry],
    collect() {
      const found = differences();
      for (const difference of PROCESS_DIFFERENCES)
        this.labels(difference).set(found.includes(difference) ? 1 : 0);
    },
  });
}
