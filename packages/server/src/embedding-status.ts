/**
 * The state of the configured embedding models, the reranker and the other local models according to their last calls, for
 * readiness and metrics. It makes no calls itself.
 */
import { Counter, Histogram, type Registry } from "prom-client";
import type { ModelStatus } from "./http/routes/operations.ts";
import type { EmbeddingActivity } from "./ports/embedding-activity.ts";
import type { Log } from "./ports/log.ts";

export interface EmbeddingStatusBoard {
  record(activity: EmbeddingActivity): void;
  /** In the order of the configuration. */
  read(): readonly ModelStatus[];
  /** Of any model, a reranker too. */
  statusOf(model: string): ModelStatus;
  register(registry: Registry): void;
}

const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const NO_CALLS: ReadonlySet<EmbeddingActivity["outcome"]> = new Set<EmbeddingActivity["outcome"]>([
  "aborted",
  "kept_out",
]);

/** `models`: names as projects store them. */
export function createEmbeddingStatusBoard(models: readonly string[]): EmbeddingStatusBoard {
  const last = new Map<string, EmbeddingActivity>();
  const metrics = {
    embedding: createMetrics("kcs_embedding", "embedding models"),
    rerank: createMetrics("kcs_rerank", "rerankers"),
  };

  function statusOf(model: string): ModelStatus {
    const activity = last.get(model);
    if (activity === undefined) return { model, state: "unused", lastError: null, lastCallAt: null };
    const state = activity.isBreakerOpen ? "open" : activity.outcome === "answered" ? "ok" : "failing";
    return { model, state, lastError: activity.error, lastCallAt: activity.at };
  }

  return {
    record(activity) {
      // Of local models only changes are reported.
      if (activity.provider !== "local") metrics[activity.kind].record(activity);
      if (NO_CALLS.has(activity.outcome)) return;
      // Activities of two threads may arrive out of order; the latest call counts.
      if ((last.get(activity.model)?.at ?? 0) <= activity.at) last.set(activity.model, activity);
    },
    read: () => models.map(statusOf),
    statusOf,
    register(registry) {
      for (const { register } of Object.values(metrics)) register(registry);
    },
  };
}

function createMetrics(prefix: string, models: string) {
  const calls = new Counter({
    name: `${prefix}_calls_total`,
    help: `Calls of ${models} at providers, by how they ended.`,
    labelNames: ["provider", "outcome"],
    registers: [],
  });
  const tokens = new Counter({
    name: `${prefix}_tokens_total`,
    help: "Tokens that answered calls used.",
    labelNames: ["provider"],
    registers: [],
  });
  const seconds = new Histogram({
    name: `${prefix}_call_seconds`,
    help: "Time of a call with all its tries.",
    labelNames: ["provider"],
    buckets: BUCKETS,
    registers: [],
  });
  return {
    record(activity: EmbeddingActivity) {
      const { provider, outcome } = activity;
      calls.labels(provider, outcome).inc();
      tokens.labels(provider).inc(activity.tokens);
      if (!NO_CALLS.has(outcome)) seconds.labels(provider).observe(activity.seconds);
    },
    register(registry: Registry) {
      for (const metric of [calls, tokens, seconds]) registry.registerMetric(metric);
    },
  };
}

/** Shows it in the readiness, and logs a local model that cannot be used. */
export function recordEmbedding(
  activity: EmbeddingActivity,
  {
    monitoring,
    log,
  }: { readonly monitoring: { readonly embeddingStatus: EmbeddingStatusBoard }; readonly log: Log },
): void {
  const { provider, model, error } = activity;
  monitoring.embeddingStatus.record(activity);
  if (provider === "local" && error !== null) log.error("local_model_unusable", { model, message: error });
}
