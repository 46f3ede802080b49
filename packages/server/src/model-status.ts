/** The state of the language model according to its last calls, for readiness and metrics. It makes no calls itself. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { ModelStatus } from "./http/routes/operations.ts";
import type { ModelActivity } from "./ports/model-activity.ts";

/** The threads that call the model, each with a limiter and a breaker of its own. */
export type ModelThread = "main" | "ingest";

export interface ModelStatusBoard {
  record(thread: ModelThread, activity: ModelActivity): void;
  read(): ModelStatus;
  register(registry: Registry): void;
}

const NO_CALLS: ReadonlySet<ModelActivity["outcome"]> = new Set<ModelActivity["outcome"]>([
  "cached",
  "aborted",
  "kept_out",
  "token_limit",
]);

export function createModelStatusBoard(model: string): ModelStatusBoard {
  let lastCall: { readonly thread: ModelThread; readonly activity: ModelActivity } | null = null;
  const breakers = new Map<ModelThread, ModelActivity["load"]["breaker"]>();
  const metrics = createMetrics();

  return {
    record(thread, activity) {
      breakers.set(thread, activity.load.breaker);
      metrics.record(thread, activity);
      if (NO_CALLS.has(activity.outcome)) return;
      if (lastCall === null || lastCall.activity.at <= activity.at) lastCall = { thread, activity };
    },
    read() {
      if (lastCall === null) return { model, state: "unused", lastError: null, lastCallAt: null };
      const { thread, activity } = lastCall;
      const isOpen = breakers.get(thread) !== "closed";
      const state = isOpen ? "open" : activity.outcome === "answered" ? "ok" : "failing";
      return { model, state, lastError: activity.error, lastCallAt: activity.at };
    },
    register: metrics.register,
  };
}

function createMetrics() {
  const counter = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Counter<string>({ name: `kcs_language_model_${name}`, help, labelNames, registers: [] });
  const gauge = (name: string, help: string) =>
    new Gauge<string>({ name: `kcs_language_model_${name}`, help, labelNames: ["thread"], registers: [] });
  const calls = counter("calls_total", "Calls of the language model, by how they ended.", ["outcome"]);
  const tokens = counter("tokens_total", "Tokens that answered calls used.", ["direction"]);
  const retries = counter("retries_total", "Tries after the first ones.");
  const hits = counter("cache_hits_total", "Calls that a kept reply spared.");
  const limit = gauge("concurrency_limit", "Tries that may run at once, learned from the provider.");
  const waiting = gauge("waiting", "Tries that waited for their turn when a call last ended.");
  const breaker = gauge("breaker_open", "1 while calls are kept from a provider that failed, else 0.");
  return {
    record(thread: ModelThread, { outcome, load, ...activity }: ModelActivity) {
      if (outcome === "cached") hits.inc();
      else calls.labels(outcome).inc();
      tokens.labels("input").inc(activity.inputTokens);
      tokens.labels("output").inc(activity.outputTokens);
      retries.inc(activity.retries);
      limit.labels(thread).set(load.limit);
      waiting.labels(thread).set(load.waiting);
      breaker.labels(thread).set(load.breaker === "closed" ? 0 : 1);
    },
    register(registry: Registry) {
      const all = [calls, tokens, retries, hits, limit, waiting, breaker];
      for (const metric of all) registry.registerMetric(metric);
    },
  };
}
