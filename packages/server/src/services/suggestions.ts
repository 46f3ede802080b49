/** Chooses the engine that suggests an ontology, and maps its failures to errors for the caller. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { Suggestion } from "../domain/ontology.ts";
import { suggestWithModel } from "../engine/ontology/suggest/model/suggest-with-model.ts";
import { type LanguageModel, ModelError } from "../ports/language-model.ts";
import type { Suggester } from "../ports/suggester.ts";
import { createAccountSlots } from "./account-slots.ts";
import type { ModelAllowance } from "./model-allowance.ts";

export type SuggestionEngine = "built_in" | "language_model";

export interface EngineSuggestion extends Suggestion {
  readonly engine: SuggestionEngine;
}

/** `signal`: aborted when the client has disconnected. */
export type SuggestForCaller = (
  caller: Caller,
  useCase: string,
  signal: AbortSignal | null,
) => Promise<EngineSuggestion>;

/** For both calls of the model together. The contract says around 30 seconds. */
const DEADLINE_MS = 45_000;
const MAX_REASON_CHARACTERS = 300;
/**
 * Limits concurrency, because a suggestion may occupy the language model until its
 * deadline and all accounts share one queue.
 */
const SLOTS = { what: "suggestions", perAccount: 8, total: 64, kept: 16 } as const;

/**
 * Uses the language model if one is configured and the account has tokens left, else the built-in engine.
 * @throws ServiceError `internal` with the contract's text when the model fails; `invalid_input` when nothing can be suggested;
 * `too_many_requests` or `unavailable` for too many concurrent requests of the account or of all accounts
 */
export function createSuggest(deps: {
  readonly builtIn: Suggester;
  readonly languageModel: LanguageModel | null;
  readonly allowance: ModelAllowance;
  readonly now: () => number;
}): SuggestForCaller {
  const { builtIn, languageModel, allowance } = deps;
  const slots = createAccountSlots(SLOTS);

  async function suggestBuiltIn(
    useCase: string,
    place: { readonly account: string; readonly signal: AbortSignal | null },
  ): Promise<EngineSuggestion> {
    const outcome = await builtIn.suggest(useCase, place);
    if (outcome.kind === "nothing") throw errors.invalidInput(`usecase: ${outcome.reason}`);
    return { ...outcome.suggestion, engine: "built_in" };
  }

  async function suggest(
    { accountId }: Caller,
    useCase: string,
    signal: AbortSignal | null,
  ): Promise<EngineSuggestion> {
    const place = { account: accountId, signal };
    if (languageModel === null || !(await allowance.hasTokens(accountId)))
      return suggestBuiltIn(useCase, place);
    try {
      const outcome = await suggestWithModel(useCase, {
        model: languageModel,
        meter: { accountId, projectId: null, jobId: null },
        deadlineMs: DEADLINE_MS,
        now: deps.now,
        signal,
      });
      if (outcome.kind === "suggestion") return { ...outcome.suggestion, engine: "language_model" };
      throw errors.suggestionFailed(
        `the language model's answer is not a valid ontology: ${outcome.faults.slice(0, MAX_REASON_CHARACTERS)}`,
      );
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (error.failure === "token_limit") return suggestBuiltIn(useCase, place);
      const reason = error.message.slice(0, MAX_REASON_CHARACTERS);
      throw errors.suggestionFailed(reason, error);
    }
  }

  return async (caller, useCase, signal) => {
    const release = slots.take(caller.accountId);
    try {
      return await suggest(caller, useCase, signal);
    } finally {
      release();
    }
  };
}
