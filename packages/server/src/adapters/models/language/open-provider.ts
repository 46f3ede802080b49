/** The AI SDK's providers, each behind the same question and answer. */
import type { JSONSchema7, LanguageModelV4, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { loadOnce } from "./load-once.ts";
import type { Answered, Provider, Question } from "./provider.ts";
import { createProviderFetch } from "./provider-fetch.ts";
import type { LanguageModelSettings, ModelProvider } from "./settings.ts";

const MAX_REPLY_BYTES = 8 * 1024 * 1024;
/** How many characters a token has, where a provider does not count. */
const CHARACTERS_PER_TOKEN = 4;

type ModelByName = (model: string) => LanguageModelV4;
type Fetch = typeof globalThis.fetch;

/**
 * The library is loaded with the first question: a service whose model is never asked does without. It is given the
 * address and the key always, so that it looks for neither in the environment, and asked below its own retries.
 */
export function openProvider(settings: LanguageModelSettings, now: () => number): Provider {
  const fetch = createProviderFetch({ maxReplyBytes: MAX_REPLY_BYTES, now });
  const models = loadOnce(() => load[settings.provider](settings, fetch));
  return {
    async ask(question) {
      const model = (await models())(question.model);
      return answerOf(question, await model.doGenerate(optionsOf(question)));
    },
  };
}

const load: Readonly<
  Record<ModelProvider, (settings: LanguageModelSettings, fetch: Fetch) => Promise<ModelByName>>
> = {
  "openai-compatible": loadCompatible,
  ollama: loadCompatible,
  openai: loadCompatible,
  async anthropic({ baseUrl, apiKey }, fetch) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const provider = createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? "", fetch });
    return (model) => provider(model);
  },
  async google({ baseUrl, apiKey }, fetch) {
    const { createGoogle } = await import("@ai-sdk/google");
    const provider = createGoogle({ baseURL: baseUrl, apiKey: apiKey ?? "", fetch });
    return (model) => provider(model);
  },
};

async function loadCompatible(
  { provider: name, baseUrl, apiKey }: LanguageModelSettings,
  fetch: Fetch,
): Promise<ModelByName> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name,
    baseURL: baseUrl,
    fetch,
    supportsStructuredOutputs: true,
    ...(apiKey === null ? {} : { apiKey }),
    ...(name === "openai" ? { transformRequestBody: withCompletionLimit } : {}),
  });
  return (model) => provider.chatModel(model);
}

/** OpenAI's own newer models take the limit under its newer name only; most others know the older one only. */
function withCompletionLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}

function optionsOf(question: Question): Parameters<LanguageModelV4["doGenerate"]>[0] {
  const { system, schema, temperature } = question;
  return {
    prompt: [
      ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
      { role: "user", content: [{ type: "text", text: question.prompt }] },
    ],
    maxOutputTokens: question.maxOutputTokens,
    ...(temperature === null ? {} : { temperature }),
    // Whoever asks gives a JSON Schema; the library's type only names its keywords.
    ...(schema === null
      ? {}
      : { responseFormat: { type: "json", name: "reply", schema: schema as JSONSchema7 } }),
    abortSignal: question.signal,
  };
}

function answerOf(question: Question, result: LanguageModelV4GenerateResult): Answered {
  const said = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const text = question.schema === null ? said : (result.structuredOutputText ?? said);
  const { inputTokens, outputTokens } = result.usage;
  return {
    text,
    inputTokens: countOf(inputTokens.total) ?? estimateTokens(question.system + question.prompt),
    outputTokens: countOf(outputTokens.total) ?? estimateTokens(text),
  };
}

/** No provider has counted more in one call, and the meter could not take just any number. */
const MAX_TOKENS = 1_000_000_000;

/** null for what is no number of tokens. */
function countOf(told: number | undefined): number | null {
  return Number.isInteger(told) && told !== undefined && told >= 0 && told <= MAX_TOKENS ? told : null;
}

function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
