/** Meters the usage of model calls and enforces the token limit of accounts. */
import { ModelError, type ModelRequest } from "../../../ports/language-model.ts";
import type { ModelStore, ModelUse } from "../../../ports/model-store.ts";
import { StoreUnavailableError } from "../../../ports/store.ts";
import type { ProviderReply } from "./provider.ts";
import type { ModelPrices } from "./settings.ts";

export interface Meter {
  /** @throws ModelError "token_limit" for an extraction whose account has used up its tokens of the month */
  refuseOverLimit(request: ModelRequest): Promise<void>;
  /** Records one answered call, and caches its reply if `replyKey` is given. True if the reply was cached. */
  record(call: MeteredCall): Promise<boolean>;
}

export interface MeteredCall {
  readonly request: ModelRequest;
  readonly model: string;
  readonly answered: ProviderReply;
  /** null = the reply is not cached. */
  readonly replyKey: string | null;
}

export function createMeter(deps: {
  readonly store: ModelStore;
  readonly prices: ModelPrices | null;
  /** Tokens per account and UTC month; null = no limit. */
  readonly tokenLimit: number | null;
  readonly now: () => number;
}): Meter {
  const { store, prices, tokenLimit, now } = deps;

  function useOf({ request, model, answered }: MeteredCall): ModelUse {
    const { inputTokens, outputTokens } = answered;
    const cost = prices === null ? 0 : inputTokens * prices.input + outputTokens * prices.output;
    return {
      ...request.meter,
      task: request.task,
      model,
      day: dayOf(now()),
      calls: 1,
      inputTokens,
      outputTokens,
      // A price per million tokens equals the price of one token in millionths.
      costMicros: Math.round(cost),
    };
  }

  return {
    async refuseOverLimit({ task, meter }) {
      // Callers of other tasks check the limit themselves and then use the built-in engine instead.
      if (task !== "extraction" || tokenLimit === null) return;
      const used = await store.readTokenUse({ accountId: meter.accountId, month: monthOf(now()) });
      if (used >= tokenLimit) throw new ModelError("token_limit", "Token usage limit exceeded");
    },
    async record(call) {
      const use = useOf(call);
      const { replyKey } = call;
      const reply = replyKey === null ? null : { key: replyKey, text: call.answered.text, now: now() };
      try {
        await store.recordModelUse({ use, reply });
        return reply !== null;
      } catch (error) {
        const isProjectLocked = error instanceof StoreUnavailableError && error.reason === "busy";
        if (!isProjectLocked || reply === null) throw error;
        // The project is being deleted. The call is metered nevertheless, since it was paid for.
        await store.recordModelUse({ use, reply: null });
        return false;
      }
    },
  };
}

/** UTC, "2031-04-21". */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, "2031-04-21".length);
}

function monthOf(at: number): string {
  return dayOf(at).slice(0, "2031-04".length);
}
