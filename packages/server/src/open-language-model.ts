/** The language model of the main thread, for suggestions and dynamic queries. */
import { createLanguageModel } from "./adapters/models/language/create-language-model.ts";
import type { Config } from "./config.ts";
import { createModelStatusBoard, type ModelStatusBoard } from "./model-status.ts";
import type { LanguageModel } from "./ports/language-model.ts";
import type { Log } from "./ports/log.ts";
import type { ModelStore } from "./ports/model-store.ts";

type ModelConfig = Pick<Config, "languageModel" | "tokenLimit">;

/** One board for the clients of all threads; null when no model is configured. */
export function createModelStatus({ languageModel }: ModelConfig): ModelStatusBoard | null {
  if (languageModel === null) return null;
  return createModelStatusBoard(`${languageModel.provider}/${languageModel.model}`);
}

/** null when none is configured. */
export function openLanguageModel(
  { languageModel, tokenLimit }: ModelConfig,
  parts: { readonly store: ModelStore; readonly modelStatus: ModelStatusBoard | null; readonly log: Log },
): LanguageModel | null {
  if (languageModel === null) return null;
  const { store, modelStatus, log } = parts;
  return createLanguageModel(languageModel, {
    store,
    tokenLimit,
    log,
    onActivity: (activity) => modelStatus?.record("main", activity),
  });
}
