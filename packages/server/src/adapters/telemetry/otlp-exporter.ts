/** Sends spans and metrics to a collector by OTLP over HTTP, in the background: nothing waits for it, and what cannot be sent is dropped. */
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../ports/log.ts";
import type { Span } from "../../ports/tracing.ts";
import { type MetricSamples, metricsBody } from "./otlp-metrics.ts";
import { type OtlpScope, type Resource, spansBody } from "./otlp-spans.ts";

export interface OtlpSettings {
  /** Without a trailing slash; `/v1/traces` and `/v1/metrics` are added. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface OtlpExporter {
  record(span: Span): void;
  sendMetrics(metrics: readonly MetricSamples[], now: number): Promise<void>;
  /** Spans so far: sent, and given up because the collector did not take them or too many waited. */
  readonly counts: { readonly sent: number; readonly dropped: number };
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>;
}

const MAX_WAITING = 4_096;
const BATCH = 512;
const PAUSE_MS = 5_000;
const TRY_LIMIT_MS = 10_000;
const TRIES = 3;
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 10_000;
const CLOSE_LIMIT_MS = 2_000;
/** OTLP names these; every other refusal is final. */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export function createOtlpExporter(
  settings: OtlpSettings,
  deps: {
    readonly resource: Resource;
    readonly scope: OtlpScope;
    readonly startedAt: number;
    /** It logs each outage once. */
    readonly log: Pick<Log, "warn">;
    readonly pauseMs?: number;
  },
): OtlpExporter {
  const { resource, scope, startedAt, log, pauseMs = PAUSE_MS } = deps;
  const ending = new AbortController();
  const counts = { sent: 0, dropped: 0 };
  let waiting: Span[] = [];
  let sending: Promise<void> | null = null;
  /** Of paths. */
  const failing = new Set<string>();

  async function post(path: string, body: unknown): Promise<boolean> {
    const reason = await send(settings, path, { body: JSON.stringify(body), signal: ending.signal });
    if (reason === null) {
      failing.delete(path);
      return true;
    }
    if (!failing.has(path)) log.warn("telemetry_not_sent", { path, reason });
    failing.add(path);
    return false;
  }

  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      const isSent = await post("/v1/traces", spansBody(batch, resource, scope));
      counts[isSent ? "sent" : "dropped"] += batch.length;
    }
  }

  function startSending(): Promise<void> {
    sending ??= sendWaiting().finally(() => {
      sending = null;
    });
    return sending;
  }

  const timer = setInterval(() => void startSending(), pauseMs);
  timer.unref();
  return {
    counts,
    record(span) {
      if (waiting.length >= MAX_WAITING) counts.dropped++;
      else waiting.push(span);
      if (waiting.length >= BATCH) void startSending();
    },
    async sendMetrics(metrics, now) {
      await post("/v1/metrics", metricsBody(metrics, { resource, scope }, { startedAt, now }));
    },
    async close() {
      clearInterval(timer);
      const late = setTimeout(() => ending.abort(), CLOSE_LIMIT_MS);
      await startSending();
      clearTimeout(late);
      waiting = [];
    },
  };
}

/** @returns null when it was taken, else why not, without headers */
async function send(
  { endpoint, headers }: OtlpSettings,
  path: string,
  { body, signal }: { readonly body: string; readonly signal: AbortSignal },
): Promise<string | null> {
  let reason = "";
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      const response = await fetch(endpoint + path, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(TRY_LIMIT_MS)]),
      });
      await response.body?.cancel();
      if (response.ok) return null;
      reason = `The collector answered with ${response.status}.`;
      if (!RETRIED.has(response.status)) return reason;
      if (attempt < TRIES) await delay(pauseAfter(response, attempt), undefined, { signal, ref: false });
    } catch (error) {
      if (signal.aborted) return "The service has ended.";
      reason =
        error instanceof Error && error.name === "TimeoutError"
          ? "The collector did not answer."
          : "The collector cannot be reached.";
      const isOver = await delay(attempt < TRIES ? RETRY_MS * attempt : 0, false, {
        signal,
        ref: false,
      }).catch(() => true);
      if (isOver) return "The service has ended.";
    }
  }
  return reason;
}

function pauseAfter(response: Response, attempt: number): number {
  const asked = Number(response.headers.get("retry-after") ?? Number.NaN) * 1000;
  return Math.min(RETRY_MAX_MS, Number.isFinite(asked) && asked > 0 ? asked : RETRY_MS * attempt);
}
