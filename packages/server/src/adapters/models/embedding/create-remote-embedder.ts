/** An embedding model at a provider: its vectors are checked and its calls are metered. */
import { EmbeddingError, type EmbeddingMeter, type RemoteEmbedder } from "../../../ports/embedder.ts";
import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import type { Log } from "../../../ports/log.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import { type Clock, systemClock } from "../language/clock.ts";
import { createProviderCalls, ProviderCallError } from "../remote/provider-calls.ts";
import { openEmbeddingProvider } from "./open-embedding-provider.ts";
import { readVectors } from "./read-vectors.ts";
import { type EmbeddingSettings, embeddingModelName } from "./settings.ts";

export const MAX_TEXTS_PER_CALL = 64;
const MAX_RETRIES = 3;

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
  const { store, log, clock = systemClock, onActivity } = deps;
  const { dimensions, tryTimeoutMs, maxConcurrent } = settings;
  const model = embeddingModelName(settings);
  const provider = openEmbeddingProvider(settings, clock.now);
  const calls = createProviderCalls(
    {
      kind: "embedding",
      provider: settings.provider,
      model,
      words: { model: "embedding model", result: "vectors" },
      maxRetries: MAX_RETRIES,
      tryTimeoutMs,
      maxConcurrent,
    },
    { log, clock, onActivity },
  );

  async function embedOnce(texts: readonly string[], signal: AbortSignal) {
    const { vectors, tokens } = await provider.embed(texts, signal);
    return { vectors: readVectors(vectors, { count: texts.length, dimensions }), tokens };
  }

  return {
    model,
    dimensions,
    async embed(texts, { meter, deadlineMs, signal }) {
      // Only questions have a deadline. Somebody waits for them, so they come before chunks.
      const place = { accountId: meter.accountId, isUrgent: deadlineMs !== null };
      const { vectors, tokens } = await calls
        .run((trySignal) => embedOnce(texts, trySignal), { ...place, deadlineMs, signal })
        .catch((error: unknown) => {
          throw toEmbeddingError(error);
        });
      await store.recordModelUse(useOf(settings, { meter, tokens, now: clock.now() }));
      return vectors;
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

function toEmbeddingError(error: unknown): unknown {
  if (!(error instanceof ProviderCallError)) return error;
  const { failure, message, cause, retryAt } = error;
  return new EmbeddingError(failure, message, { cause, retryAt });
}
