/** What calls of the model use, and who has used too much. */
import { ModelError, type ModelRequest } from "../../../ports/language-model.ts";
import type { ModelStore, ModelUse } from "../../../ports/model-store.ts";
import { StoreUnavailableError } from "../../../ports/store.ts";
import type { Answered } from "./provider.ts";
import type { ModelPrices } from "./settings.ts";

export interface Meter {
  /** @throws ModelError "token_limit" of an extraction whose account has used up its tokens of the month */
  refuseOverLimit(request: ModelRequest): Promise<void>;
  /** Records one answered call, and with it the reply if it is to be kept. True when it was. */
  record(call: MeteredCall): Promise<boolean>;
}

export interface MeteredCall {
  readonly request: ModelRequest;
  readonly model: string;
  readonly answered: Answered;
  /** null = the reply is not kept. */
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
      ...{ task: request.task, model, day: dayOf(now()), calls: 1, inputTokens, outputTokens },
      // A price per million tokens is one in millionths per token.
      costMicros: Math.round(cost),
    };
  }

  return {
    async refuseOverLimit({ task, meter }) {
      // Other tasks have a built-in engine to turn to, which whoever asks turns to before.
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
        const isProjectHeld = error instanceof StoreUnavailableError && error.reason === "busy";
        if (!isProjectHeld || reply === null) throw error;
        // Its project is being deleted; what was paid is metered all the same.
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
