/** The language model: returns a cached reply, or makes a metered call and parses and caches its reply. */
import type { LanguageModel, ModelReply, ModelRequest, ModelTask } from "../../../ports/language-model.ts";
import type { Log } from "../../../ports/log.ts";
import type { ModelActivity } from "../../../ports/model-activity.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import { createCallReporter } from "./call-reporter.ts";
import { CallFailedError, type CallResult, createCaller } from "./caller.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createDialect } from "./dialect.ts";
import { hasRequired } from "./has-required.ts";
import { createMeter } from "./meter.ts";
import { openProvider } from "./open-provider.ts";
import { readReply, withoutThoughts } from "./read-reply.ts";
import { createReplyCache, MAX_CACHED_LENGTH } from "./reply-cache.ts";
import { replyKey } from "./reply-key.ts";
import type { LanguageModelSettings } from "./settings.ts";
import { estimateTokens } from "./token-count.ts";

export interface LanguageModelDeps {
  readonly store: ModelStore;
  /** Tokens per account and UTC month; null = no limit. */
  readonly tokenLimit: number | null;
  readonly log: Log;
  /** Called after each use: answered, failed or cached. */
  readonly onActivity?: (activity: ModelActivity) => void;
  readonly clock?: Clock;
}

/**
 * Create one per thread: all its calls share the limiter, the breaker and the knowledge about the provider's
 * dialect.
 */
export function createLanguageModel(settings: LanguageModelSettings, deps: LanguageModelDeps): LanguageModel {
  const { store, tokenLimit, clock = systemClock } = deps;
  const { prices, tryTimeoutMs, maxConcurrent } = settings;
  const dialect = createDialect();
  const provider = openProvider(settings, clock.now);
  const caller = createCaller({ provider, dialect, tryTimeoutMs, maxConcurrent, clock });
  const meter = createMeter({ store, prices, tokenLimit, now: clock.now });
  const replies = createReplyCache(store, clock.now);
  const modelFor = (task: ModelTask) => (task === "extraction" ? settings.extractionModel : settings.model);
  const nameOf = (task: ModelTask) => `${settings.provider}/${modelFor(task)}`;
  const reporter = createCallReporter({ ...deps, clock, settings, nameOf, load: caller.load });

  async function call(request: ModelRequest, startedAt: number): Promise<CallResult> {
    let passedOn = "";
    const { onText } = request;
    const pass = (delta: string) => {
      passedOn += delta;
      onText?.(delta);
    };
    try {
      await meter.refuseOverLimit(request);
      const counted = onText === undefined ? request : { ...request, onText: pass };
      return await caller.call(counted, modelFor(request.task));
    } catch (error) {
      reporter.failed(request, error, startedAt);
      if (passedOn !== "") await recordPart(request, passedOn);
      throw error instanceof CallFailedError ? error.error : error;
    }
  }

  /** What the client has got is charged, although the provider's own count of an unfinished reply is unknown. */
  async function recordPart(request: ModelRequest, text: string): Promise<void> {
    const inputTokens = estimateTokens([request.system + request.prompt]);
    const answered = { text, inputTokens, outputTokens: estimateTokens([text]) };
    await meter.record({ request, model: nameOf(request.task), answered, replyKey: null });
  }

  return {
    nameOf,
    async generate(request) {
      const startedAt = clock.now();
      const key = replyKey(request, nameOf(request.task));
      const cacheKey = { accountId: request.meter.accountId, key };
      const cached = request.skipsCache === true ? null : await replies.find(cacheKey);
      if (cached !== null) {
        reporter.answered(request, null, startedAt);
        const reply = parse(cached, request);
        if (request.schema === null) request.onText?.(reply.text);
        return { ...reply, isCached: true, inputTokens: 0, outputTokens: 0 };
      }
      const called = await call(request, startedAt);
      reporter.answered(request, called, startedAt);
      const reply = parse(called.text, request);
      if (request.schema !== null && reply.value === null)
        dialect.distrustSchema(modelFor(request.task), request.task);
      const isCached = await meter.record({
        request,
        model: nameOf(request.task),
        answered: called,
        replyKey: isCacheable(reply, request) ? key : null,
      });
      if (isCached) await replies.onWrite();
      const { inputTokens, outputTokens } = called;
      return { ...reply, isCached: false, inputTokens, outputTokens };
    },
  };
}

type ParsedReply = Pick<ModelReply, "text" | "value" | "repairs">;

function parse(text: string, { schema }: ModelRequest): ParsedReply {
  if (schema === null) return { text: withoutThoughts(text).trim(), value: null, repairs: 0 };
  return { text, ...readReply(text) };
}

function isCacheable({ text, value }: ParsedReply, { schema, isUsable }: ModelRequest): boolean {
  if (text === "" || text.length > MAX_CACHED_LENGTH) return false;
  if (isUsable !== undefined) return isUsable(schema === null ? text : value);
  return schema === null || hasRequired(value, schema);
}
