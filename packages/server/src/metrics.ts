import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { EmbeddingStatusBoard } from "./embedding-status.ts";
import type { Operations } from "./http/routes/operations.ts";
import type { ModelStatusBoard } from "./model-status.ts";
import type { Log } from "./ports/log.ts";
import type { Store } from "./ports/store.ts";

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Apart from the other metrics, because what counts in it starts before them. */
export function createDamageCounter(): Counter {
  return new Counter({
    name: "kcs_damaged_segments_total",
    help: "Segments of the search index that were found damaged and marked to be rebuilt.",
    registers: [],
  });
}

/** Calls of MCP tools, which all look the same to HTTP: one path, and a success that may say what went wrong. */
export function createToolCallCounter(): Counter<"tool" | "outcome"> {
  return new Counter({
    name: "kcs_mcp_tool_calls_total",
    help: "Calls of MCP tools, by tool and outcome: ok, refused (the caller's fault) or failed.",
    labelNames: ["tool", "outcome"],
    registers: [],
  });
}

/** Readiness and metrics over the composed service. No metric carries an account, a project or a document. */
export function createOperations(deps: {
  readonly store: Pick<Store, "ping" | "readCounts">;
  /** What keeps the parts from their work; null for each that is well. */
  readonly faults: () => readonly (string | null)[];
  readonly damagedSegments: Counter;
  readonly toolCalls: Counter<"tool" | "outcome">;
  /** null when no language model is configured. */
  readonly modelStatus: ModelStatusBoard | null;
  readonly embeddingStatus: EmbeddingStatusBoard;
  readonly log: Log;
}): Operations {
  const registry = new Registry();
  // Among them, as nodejs_eventloop_lag_*, the main thread's event-loop delay since the scrape before; a loop that
  // is idle shows the precision, 10 ms.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 });
  const requests = new Histogram({
    name: "kcs_http_request_seconds",
    help: "Time to answer a request, by route and status.",
    labelNames: ["method", "route", "status"],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const scrapeFaults = new Counter({
    name: "kcs_scrape_faults_total",
    help: "Scrapes for which the database did not answer.",
    registers: [registry],
  });
  registry.registerMetric(deps.damagedSegments);
  registry.registerMetric(deps.toolCalls);
  deps.modelStatus?.register(registry);
  deps.embeddingStatus.register(registry);
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const projects = gauge("kcs_projects", "Projects.");
  const pending = gauge("kcs_jobs_pending", "Jobs that wait.");
  const running = gauge("kcs_jobs_running", "Jobs that are worked on.");
  const failed = gauge("kcs_jobs_failed", "Jobs that have failed and are kept.");

  return {
    async faults() {
      const database = await deps.store.ping().then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      return [database, ...deps.faults()].filter((fault) => fault !== null);
    },
    embeddings: () => deps.embeddingStatus.read(),
    languageModel: () => deps.modelStatus?.read() ?? null,
    async metrics() {
      try {
        const counts = await deps.store.readCounts();
        projects.set(counts.projects);
        pending.set(counts.jobsPending);
        running.set(counts.jobsRunning);
        failed.set(counts.jobsFailed);
      } catch (error) {
        // The other metrics are wanted most when the database is away.
        scrapeFaults.inc();
        deps.log.warn("scrape_without_counts", { error });
      }
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    observeRequest({ method, route, status, seconds }) {
      requests.labels(method, route, String(status)).observe(seconds);
    },
  };
}
