/** Which engine suggests an ontology, and what a failure of it is to the caller. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { Suggestion } from "../domain/ontology.ts";
import { suggestWithModel } from "../engine/ontology/suggest/model/suggest-with-model.ts";
import { type LanguageModel, ModelError } from "../ports/language-model.ts";
import type { Suggester } from "../ports/suggester.ts";
import { createAccountSlots } from "./account-slots.ts";
import type { ModelAllowance } from "./model-allowance.ts";

export type SuggestionEngine = "built_in" | "language_model";

export interface Suggested extends Suggestion {
  readonly engine: SuggestionEngine;
}

export type SuggestForCaller = (caller: Caller, useCase: string) => Promise<Suggested>;

/** Both calls of the model together; the contract speaks of around 30 seconds. */
const DEADLINE_MS = 45_000;
const MAX_REASON = 300;
/** Each may hold the language model for its deadline, and there is one queue for all accounts. */
const SLOTS = { what: "suggestions", perAccount: 8, total: 64 } as const;

/**
 * The language model where there is one and the account has tokens left, else the built-in engine.
 * @throws ServiceError `internal` with the documented text, when the model fails or nothing can be suggested;
 * `too_many_requests` and `unavailable` where too many are made at once
 */
export function createSuggest(deps: {
  readonly builtIn: Suggester;
  readonly languageModel: LanguageModel | null;
  readonly allowance: ModelAllowance;
  readonly now: () => number;
}): SuggestForCaller {
  const { builtIn, languageModel, allowance } = deps;
  const slots = createAccountSlots(SLOTS);

  async function withoutModel(useCase: string): Promise<Suggested> {
    const outcome = await builtIn.suggest(useCase);
    if (outcome.kind === "nothing") throw errors.suggestionFailed(outcome.reason, { severity: "info" });
    return { ...outcome.suggestion, engine: "built_in" };
  }

  async function suggest({ accountId }: Caller, useCase: string): Promise<Suggested> {
    if (languageModel === null || !(await allowance.hasTokens(accountId))) return withoutModel(useCase);
    try {
      const meter = { accountId, projectId: null, jobId: null };
      const read = await suggestWithModel(useCase, {
        ...{ model: languageModel, meter, deadlineMs: DEADLINE_MS, now: deps.now },
      });
      if (read.kind === "suggestion") return { ...read.suggestion, engine: "language_model" };
      throw errors.suggestionFailed(
        `the language model's answer is no ontology: ${read.faults.slice(0, MAX_REASON)}`,
        { severity: "warn" },
      );
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (error.failure === "token_limit") return withoutModel(useCase);
      throw errors.suggestionFailed(error.message.slice(0, MAX_REASON), { severity: "warn", cause: error });
    }
  }

  return async (caller, useCase) => {
    const end = slots.take(caller.accountId);
    try {
      return await suggest(caller, useCase);
    } finally {
      end();
    }
  };
}
