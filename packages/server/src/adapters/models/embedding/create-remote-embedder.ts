/**
 * An embedding model at a provider. Calls pass a circuit breaker and a limiter, and are validated and
 * metered.
 */
import { EmbeddingError, type EmbeddingMeter, type RemoteEmbedder } from "../../../ports/embedder.ts";
import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import type { Log } from "../../../ports/log.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import { type CallOutcome, createBreaker, type Entry } from "../language/breaker.ts";
import { type Clock, systemClock } from "../language/clock.ts";
import { isTimeout, startDeadline } from "../language/deadline.ts";
import { createLimiter, LimiterFullError } from "../language/limiter.ts";
import { ProviderFault } from "../language/provider-fault.ts";
import { LONGEST_RETRY_AFTER_MS, RetriesExhaustedError, withRetries } from "../language/retry.ts";
import { createCallReporter } from "./call-reporter.ts";
import { openEmbeddingProvider } from "./open-embedding-provider.ts";
import { readVectors } from "./read-vectors.ts";
import { type EmbeddingSettings, embeddingModelName } from "./settings.ts";

export const MAX_TEXTS_PER_CALL = 64;
const MAX_RETRIES = 3;
const FIRST_LIMIT = 4;
const MAX_WAITING = { maxWaiting: 1_024, maxWaitingPerAccount: 256 } as const;
const FAILURES_TO_OPEN = 3;
const COOL_DOWN_MS = 15_000;

interface EmbedResult {
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
}

interface TryContext {
  readonly entry: Entry;
  readonly signal: AbortSignal;
  /** True once a try has called the provider. */
  hasBegun: boolean;
}

/** Create one per thread: all its calls share the limiter and the breaker. */
export function createRemoteEmbedder(
  settings: EmbeddingSettings,
  deps: {
    readonly store: Pick<ModelStore, "recordModelUse">;
    readonly log: Log;
    readonly clock?: Clock;
    /** Called at the end of each call. */
    readonly onActivity?: (activity: EmbeddingActivity) => void;
  },
): RemoteEmbedder {
  const { store, log, clock = systemClock } = deps;
  const { dimensions } = settings;
  const model = embeddingModelName(settings);
  const provider = openEmbeddingProvider(settings, clock.now);
  const limits = { initial: FIRST_LIMIT, max: settings.maxConcurrent, ...MAX_WAITING };
  const limiter = createLimiter({ ...limits, clock });
  const breaker = createBreaker({ failuresToOpen: FAILURES_TO_OPEN, coolDownMs: COOL_DOWN_MS, clock });
  const isBreakerOpen = () => breaker.state() !== "closed";
  const reporter = createCallReporter(settings, { clock, isBreakerOpen, onActivity: deps.onActivity });

  async function tryOnce(texts: readonly string[], context: TryContext): Promise<EmbedResult> {
    const { signal } = context;
    context.hasBegun = true;
    const deadline = startDeadline(signal, settings.tryTimeoutMs);
    try {
      const { vectors, tokens } = await provider.embed(texts, deadline.signal);
      return { vectors: readVectors(vectors, { count: texts.length, dimensions }), tokens };
    } catch (error) {
      if (!signal.aborted && isTimeout(error)) throw new ProviderFault("timeout", "no answer in time");
      if (error instanceof ProviderFault && error.retryAfterMs !== null)
        limiter.pause(Math.min(error.retryAfterMs, LONGEST_RETRY_AFTER_MS));
      throw error;
    } finally {
      deadline.end();
    }
  }

  async function call(
    texts: readonly string[],
    context: TryContext,
    { meter, deadlineMs }: { readonly meter: EmbeddingMeter; readonly deadlineMs: number | null },
  ): Promise<EmbedResult> {
    const { entry, signal } = context;
    // Only questions have a deadline. Somebody waits for them, so they come before chunks.
    const place = { accountId: meter.accountId, isUrgent: deadlineMs !== null };
    const work = () => limiter.run(() => tryOnce(texts, context), { ...place, signal, isOverload });
    const { result } = await withRetries(work, {
      clock,
      signal,
      maxRetries: entry.kind === "probe" ? 0 : MAX_RETRIES,
      deadlineAt: deadlineMs === null ? Number.POSITIVE_INFINITY : clock.now() + deadlineMs,
    });
    return result;
  }

  return {
    model,
    dimensions,
    async embed(texts, { meter, deadlineMs, signal: source }) {
      const startedAt = clock.now();
      const entry = breaker.enter();
      if (entry.kind === "refused") {
        reporter.ended(startedAt, "kept_out");
        throw breakerOpenError(model, entry.retryAt);
      }
      const deadline = startDeadline(source, deadlineMs);
      const context: TryContext = { entry, signal: deadline.signal, hasBegun: false };
      let result: EmbedResult;
      try {
        result = await call(texts, context, { meter, deadlineMs });
        breaker.leave(entry, "answered");
      } catch (error) {
        breaker.leave(entry, outcomeOf(error, context));
        if (source?.aborted === true) reporter.ended(startedAt, "aborted");
        source?.throwIfAborted();
        const described = toEmbeddingError(error, model, breaker.retryAt());
        if (described instanceof EmbeddingError)
          log.warn("embedding_failed", { model, failure: described.failure, message: described.message });
        reporter.failed(startedAt, described);
        throw described;
      } finally {
        deadline.end();
      }
      reporter.answered(startedAt, result.tokens);
      await store.recordModelUse(useOf(settings, { meter, tokens: result.tokens, now: clock.now() }));
      return result.vectors;
    },
  };
}

function useOf(
  settings: EmbeddingSettings,
  { meter, tokens, now }: { readonly meter: EmbeddingMeter; readonly tokens: number; readonly now: number },
): Parameters<ModelStore["recordModelUse"]>[0] {
  const day = new Date(now).toISOString().slice(0, "2031-04-21".length);
  const counted = { calls: 1, inputTokens: tokens, outputTokens: 0 };
  // A price per million tokens equals the price of one token in millionths.
  const costMicros = Math.round(tokens * (settings.price ?? 0));
  const called = { jobId: null, task: "embedding" as const, model: embeddingModelName(settings), day };
  // Not charged here: chunks are charged by the service's own count when they are committed.
  return { use: { ...meter, ...called, ...counted, costMicros }, reply: null, isCharged: false };
}

function isOverload(error: unknown): boolean {
  return error instanceof ProviderFault && error.isOverload;
}

function outcomeOf(error: unknown, { hasBegun }: TryContext): CallOutcome {
  if (error instanceof RetriesExhaustedError) return error.fault.kind === "refused" ? "answered" : "failed";
  return isTimeout(error) && hasBegun ? "failed" : "unknown";
}

function breakerOpenError(model: string, retryAt: number): EmbeddingError {
  const message = `The embedding model "${model}" is not called for a while, because earlier calls failed.`;
  return new EmbeddingError("unavailable", message, { retryAt });
}

function toEmbeddingError(error: unknown, model: string, retryAt: number | null): unknown {
  if (error instanceof RetriesExhaustedError) {
    const { fault, retries } = error;
    const tried = retries === 0 ? "" : ` after ${retries} ${retries === 1 ? "retry" : "retries"}`;
    const message = `The embedding model "${model}" gave no vectors${tried}: ${fault.message}.`;
    const failure = fault.kind === "refused" ? "refused" : "unavailable";
    return new EmbeddingError(failure, message, { cause: fault, retryAt });
  }
  if (error instanceof LimiterFullError) {
    return new EmbeddingError(
      "unavailable",
      `Too many calls to the embedding model "${model}" are already waiting.`,
      { retryAt },
    );
  }
  if (!isTimeout(error)) return error;
  return new EmbeddingError("unavailable", `The embedding model "${model}" gave no vectors in time.`, {
    retryAt,
  });
}
