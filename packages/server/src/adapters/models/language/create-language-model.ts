/** The language model: kept replies first, then a metered call, whose reply is read and kept. */
import type { LanguageModel, ModelReply, ModelRequest, ModelTask } from "../../../ports/language-model.ts";
import type { Log } from "../../../ports/log.ts";
import type { ModelActivity } from "../../../ports/model-activity.ts";
import type { ModelStore } from "../../../ports/model-store.ts";
import { type Called, CallFailedError, createCaller } from "./caller.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createDialect } from "./dialect.ts";
import { hasRequired } from "./has-required.ts";
import { createKeptReplies, MAX_KEPT_LENGTH } from "./kept-replies.ts";
import { createMeter } from "./meter.ts";
import { openProvider } from "./open-provider.ts";
import { readReply, withoutThoughts } from "./read-reply.ts";
import { replyKey } from "./reply-key.ts";
import type { LanguageModelSettings } from "./settings.ts";
import { createTelling } from "./telling.ts";

export interface LanguageModelDeps {
  readonly store: ModelStore;
  /** Tokens per account and UTC month; null = no limit. */
  readonly tokenLimit: number | null;
  readonly log: Log;
  /** Told after each use, be it answered, failed or kept. */
  readonly onActivity?: (activity: ModelActivity) => void;
  readonly clock?: Clock;
}

/** One for a thread: all its calls share the limiter, the breaker and what was learned about the provider. */
export function createLanguageModel(settings: LanguageModelSettings, deps: LanguageModelDeps): LanguageModel {
  const { store, tokenLimit, clock = systemClock } = deps;
  const { prices, tryTimeoutMs, maxConcurrent } = settings;
  const dialect = createDialect();
  const provider = openProvider(settings, clock.now);
  const caller = createCaller({ provider, dialect, tryTimeoutMs, maxConcurrent, clock });
  const meter = createMeter({ store, prices, tokenLimit, now: clock.now });
  const replies = createKeptReplies(store, clock.now);
  const modelFor = (task: ModelTask) => (task === "extraction" ? settings.extractionModel : settings.model);
  const nameOf = (task: ModelTask) => `${settings.provider}/${modelFor(task)}`;
  const tell = createTelling({ ...deps, clock, settings, nameOf, load: caller.load });

  async function call(request: ModelRequest): Promise<Called> {
    try {
      await meter.refuseOverLimit(request);
      return await caller.call(request, modelFor(request.task));
    } catch (error) {
      tell.failed(request, error);
      throw error instanceof CallFailedError ? error.error : error;
    }
  }

  return {
    nameOf,
    async generate(request) {
      const key = replyKey(request, nameOf(request.task));
      const place = { accountId: request.meter.accountId, key };
      const kept = request.skipsCache === true ? null : await replies.find(place);
      if (kept !== null) {
        tell.answered(request, null);
        return { ...read(kept, request), isCached: true, inputTokens: 0, outputTokens: 0 };
      }
      const called = await call(request);
      tell.answered(request, called);
      const reply = read(called.text, request);
      if (request.schema !== null && reply.value === null)
        dialect.distrust(modelFor(request.task), request.task);
      const isKept = await meter.record({
        request,
        model: nameOf(request.task),
        answered: called,
        replyKey: isWorthKeeping(reply, request) ? key : null,
      });
      if (isKept) await replies.onKept();
      const { inputTokens, outputTokens } = called;
      return { ...reply, isCached: false, inputTokens, outputTokens };
    },
  };
}

type Read = Pick<ModelReply, "text" | "value" | "repairs">;

function read(text: string, { schema }: ModelRequest): Read {
  if (schema === null) return { text: withoutThoughts(text).trim(), value: null, repairs: 0 };
  return { text, ...readReply(text) };
}

function isWorthKeeping({ text, value }: Read, { schema, isUsable }: ModelRequest): boolean {
  if (text === "" || text.length > MAX_KEPT_LENGTH) return false;
  return schema === null || (isUsable?.(value) ?? hasRequired(value, schema));
}
