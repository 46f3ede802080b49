/** A reranker at a provider: its scores are checked and its calls are metered. */
import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import type { Log } from "../../../ports/log.ts";
import type { ModelStore, ModelUse } from "../../../ports/model-store.ts";
import { type RemoteReranker, RerankError, type RerankMeter } from "../../../ports/reranker.ts";
import { type Clock, systemClock } from "../language/clock.ts";
import { createProviderCalls, ProviderCallError } from "../remote/provider-calls.ts";
import { openRerankProvider } from "./open-rerank-provider.ts";
import { type RerankSettings, rerankModelName } from "./settings.ts";

/** Somebody waits for the answer. */
const MAX_RETRIES = 1;

/** All its calls share the limiter and the breaker. */
export function createRemoteReranker(
  settings: RerankSettings,
  deps: {
    /** For all tries of a call. */
    readonly limitMs: number;
    readonly store: Pick<ModelStore, "recordModelUse">;
    readonly log: Log;
    readonly clock?: Clock;
    /** Called at the end of each call. */
    readonly onActivity?: (activity: EmbeddingActivity) => void;
  },
): RemoteReranker {
  const { limitMs, store, log, clock = systemClock, onActivity } = deps;
  const model = rerankModelName(settings);
  const provider = openRerankProvider(settings, clock.now);
  const calls = createProviderCalls(
    {
      kind: "rerank",
      provider: settings.provider,
      model,
      words: { model: "reranker", result: "scores" },
      maxRetries: MAX_RETRIES,
      tryTimeoutMs: null,
      maxConcurrent: settings.maxConcurrent,
    },
    { log, clock, onActivity },
  );

  return {
    model,
    limitMs,
    async score(question, passages, { meter, signal }) {
      const { accountId } = meter;
      const { scores, tokens } = await calls
        .run((trySignal) => provider.score(question, passages, trySignal), {
          accountId,
          isUrgent: true,
          deadlineMs: limitMs,
          signal: signal ?? undefined,
        })
        .catch((error: unknown) => {
          throw error instanceof ProviderCallError ? new RerankError(error.message, error.cause) : error;
        });
      await store.recordModelUse({ use: useOf(model, { meter, tokens, now: clock.now() }), reply: null });
      return scores;
    },
  };
}

function useOf(
  model: string,
  { meter, tokens, now }: { readonly meter: RerankMeter; readonly tokens: number; readonly now: number },
): ModelUse {
  const day = new Date(now).toISOString().slice(0, "2031-04-21".length);
  const counted = { calls: 1, inputTokens: tokens, outputTokens: 0, costMicros: 0 };
  return { ...meter, jobId: null, task: "reranking", model, day, ...counted };
}
