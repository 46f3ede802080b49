/** An embedding model at a provider: let in by the breaker, tried under the limiter, checked and metered. */
import { EmbeddingError, type EmbeddingMeter, type RemoteEmbedder } from "../../../ports/embedder.ts";
import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import type { Log } from "../../../ports/log.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import { type CallOutcome, createBreaker, type Entry } from "../language/breaker.ts";
import { type Clock, systemClock } from "../language/clock.ts";
import { isTimeout, startDeadline } from "../language/deadline.ts";
import { createLimiter, LimiterFullError } from "../language/limiter.ts";
import { ProviderFault } from "../language/provider-fault.ts";
import { LONGEST_RETRY_AFTER_MS, TriesSpentError, withRetries } from "../language/retry.ts";
import { openEmbeddingProvider } from "./open-embedding-provider.ts";
import { readVectors } from "./read-vectors.ts";
import { type EmbeddingSettings, embeddingModelName } from "./settings.ts";
import { createTelling } from "./telling.ts";

export const MAX_TEXTS_PER_CALL = 64;
const MAX_RETRIES = 3;
const FIRST_LIMIT = 4;
const MAX_WAITING = { maxWaiting: 1_024, maxWaitingPerAccount: 256 } as const;
const FAILURES_TO_OPEN = 3;
const COOL_DOWN_MS = 15_000;

interface Answered {
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
}

interface Trying {
  readonly entry: Entry;
  readonly signal: AbortSignal;
  /** A try has reached the provider. */
  hasBegun: boolean;
}

/** One for a thread: all its calls share the limiter and the breaker. */
export function createRemoteEmbedder(
  settings: EmbeddingSettings,
  deps: {
    readonly store: Pick<ModelStore, "recordModelUse">;
    readonly log: Log;
    readonly clock?: Clock;
    /** Told of each call, when it has ended. */
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
  const telling = createTelling(settings, { clock, isBreakerOpen, onActivity: deps.onActivity });

  async function tryOnce(texts: readonly string[], trying: Trying): Promise<Answered> {
    const { signal } = trying;
    trying.hasBegun = true;
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
    trying: Trying,
    { meter, deadlineMs }: { readonly meter: EmbeddingMeter; readonly deadlineMs: number | null },
  ): Promise<Answered> {
    const { entry, signal } = trying;
    // Questions have a deadline, and somebody who waits for them; chunks have neither.
    const place = { accountId: meter.accountId, isUrgent: deadlineMs !== null };
    const work = () => limiter.run(() => tryOnce(texts, trying), { ...place, signal, judge: isOverload });
    const { result } = await withRetries(work, {
      ...{ clock, signal, maxRetries: entry.kind === "probe" ? 0 : MAX_RETRIES },
      deadlineAt: deadlineMs === null ? Number.POSITIVE_INFINITY : clock.now() + deadlineMs,
    });
    return result;
  }

  return {
    model,
    dimensions,
    async embed(texts, { meter, deadlineMs, signal: source }) {
      const began = clock.now();
      const entry = breaker.enter();
      if (entry.kind === "refused") {
        telling.ended(began, "kept_out");
        throw keptOut(model, entry.retryAt);
      }
      const deadline = startDeadline(source, deadlineMs);
      const trying: Trying = { entry, signal: deadline.signal, hasBegun: false };
      let answered: Answered;
      try {
        answered = await call(texts, trying, { meter, deadlineMs });
        breaker.leave(entry, "answered");
      } catch (error) {
        breaker.leave(entry, outcomeOf(error, trying));
        if (source?.aborted === true) telling.ended(began, "aborted");
        source?.throwIfAborted();
        const described = describe(error, model, breaker.retryAt());
        if (described instanceof EmbeddingError)
          log.warn("embedding_failed", { model, failure: described.failure, message: described.message });
        telling.failed(began, described);
        throw described;
      } finally {
        deadline.end();
      }
      telling.answered(began, answered.tokens);
      await store.recordModelUse(useOf(settings, { meter, tokens: answered.tokens, now: clock.now() }));
      return answered.vectors;
    },
  };
}

function useOf(
  settings: EmbeddingSettings,
  { meter, tokens, now }: { readonly meter: EmbeddingMeter; readonly tokens: number; readonly now: number },
): Parameters<ModelStore["recordModelUse"]>[0] {
  const day = new Date(now).toISOString().slice(0, "2031-04-21".length);
  const counted = { calls: 1, inputTokens: tokens, outputTokens: 0 };
  // A price per million tokens is one in millionths per token.
  const costMicros = Math.round(tokens * (settings.price ?? 0));
  const called = { jobId: null, task: "embedding" as const, model: embeddingModelName(settings), day };
  // Chunks are charged where they are committed, by the service's own count.
  return { use: { ...meter, ...called, ...counted, costMicros }, reply: null, isCharged: false };
}

function isOverload(error: unknown): boolean {
  return error instanceof ProviderFault && error.isOverload;
}

function outcomeOf(error: unknown, { hasBegun }: Trying): CallOutcome {
  if (error instanceof TriesSpentError) return error.fault.kind === "refused" ? "answered" : "failed";
  return isTimeout(error) && hasBegun ? "failed" : "unknown";
}

function keptOut(model: string, retryAt: number): EmbeddingError {
  const message = `The embedding model "${model}" is not asked for a while, because it has not answered before.`;
  return new EmbeddingError("unavailable", message, { retryAt });
}

function describe(error: unknown, model: string, retryAt: number | null): unknown {
  if (error instanceof TriesSpentError) {
    const { fault, retries } = error;
    const tried = retries === 0 ? "" : ` after ${retries} ${retries === 1 ? "retry" : "retries"}`;
    const message = `The embedding model "${model}" gave no vectors${tried}: ${fault.message}.`;
    const failure = fault.kind === "refused" ? "refused" : "unavailable";
    return new EmbeddingError(failure, message, { cause: fault, retryAt });
  }
  if (error instanceof LimiterFullError) {
    return new EmbeddingError("unavailable", `Too many calls of "${model}" wait already.`, { retryAt });
  }
  if (!isTimeout(error)) return error;
  return new EmbeddingError("unavailable", `The embedding model "${model}" gave no vectors in time.`, {
    retryAt,
  });
}
