/** The AI SDK's providers behind one interface. */
import type { JSONSchema7, LanguageModelV4, LanguageModelV4Usage } from "@ai-sdk/provider";
import { loadOnce } from "./load-once.ts";
import type { Provider, ProviderReply, ProviderRequest } from "./provider.ts";
import { ProviderFault } from "./provider-fault.ts";
import { createProviderFetch } from "./provider-fetch.ts";
import type { LanguageModelSettings, ModelProvider } from "./settings.ts";
import { estimateTokens, tokenCountOf } from "./token-count.ts";

/** Of a reply that is parsed at once, and of one that is read while it arrives, with what a provider writes around each token. */
const MAX_REPLY_BYTES = { whole: 2 * 1024 * 1024, streamed: 8 * 1024 * 1024 } as const;
/** A reply is text with few values around it; logprobs, which nobody asks for, would be more. */
const MAX_REPLY_VALUES = 5_000;
/** One event is a few tokens, at most the whole text of an answer. */
const MAX_EVENT = { eventBytes: 64 * 1024, eventValues: 2_000 } as const;

type ModelByName = (model: string) => LanguageModelV4;
type Fetch = typeof globalThis.fetch;

/**
 * Loads the library at the first request, so that a service that never calls its model does not load it.
 * Always passes address and key to the library, so that it reads neither from the environment. Calls
 * `doGenerate` and `doStream`, which make no retries.
 */
export function openProvider(settings: LanguageModelSettings, now: () => number): Provider {
  const open = (kind: keyof typeof MAX_REPLY_BYTES) => {
    const limits = { maxReplyBytes: MAX_REPLY_BYTES[kind], maxReplyValues: MAX_REPLY_VALUES };
    const events = kind === "streamed" ? { events: MAX_EVENT } : {};
    const fetch = createProviderFetch({ ...limits, ...events, now });
    return loadOnce(() => load[settings.provider](settings, fetch));
  };
  const [whole, streamed] = [open("whole"), open("streamed")];
  return {
    async ask(request) {
      const { model, onText } = request;
      return onText === null
        ? askWhole((await whole())(model), request)
        : askInParts((await streamed())(model), request, onText);
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
    includeUsage: true,
    ...(apiKey === null ? {} : { apiKey }),
    ...(name === "openai" ? { transformRequestBody: withCompletionLimit } : {}),
  });
  return (model) => provider.chatModel(model);
}

/**
 * OpenAI's newer models accept only the newer name of the limit; most other providers know only the older
 * name.
 */
function withCompletionLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}

function optionsOf(request: ProviderRequest): Parameters<LanguageModelV4["doGenerate"]>[0] {
  const { system, schema, temperature } = request;
  return {
    prompt: [
      ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
      { role: "user", content: [{ type: "text", text: request.prompt }] },
    ],
    maxOutputTokens: request.maxOutputTokens,
    ...(temperature === null ? {} : { temperature }),
    // Callers pass a JSON Schema; the library's type lists its keywords.
    ...(schema === null
      ? {}
      : { responseFormat: { type: "json", name: "reply", schema: schema as JSONSchema7 } }),
    abortSignal: request.signal,
  };
}

async function askWhole(model: LanguageModelV4, request: ProviderRequest): Promise<ProviderReply> {
  const result = await model.doGenerate(optionsOf(request));
  const content = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const text = request.schema === null ? content : (result.structuredOutputText ?? content);
  return { text, ...tokensOf(request, text, result.usage) };
}

async function askInParts(
  model: LanguageModelV4,
  request: ProviderRequest,
  onText: (delta: string) => void,
): Promise<ProviderReply> {
  const { stream } = await model.doStream(optionsOf(request));
  let text = "";
  let usage: LanguageModelV4Usage | null = null;
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    // The library would parse its arguments anew with each of its parts.
    if (part.type.startsWith("tool-")) throw new ProviderFault("refused", "it calls a tool, but has none");
    if (part.type === "finish") usage = part.usage;
    if (part.type !== "text-delta") continue;
    text += part.delta;
    onText(part.delta);
  }
  return { text, ...tokensOf(request, text, usage) };
}

function tokensOf({ system, prompt }: ProviderRequest, text: string, usage: LanguageModelV4Usage | null) {
  return {
    inputTokens: tokenCountOf(usage?.inputTokens.total) ?? estimateTokens([system + prompt]),
    outputTokens: tokenCountOf(usage?.outputTokens.total) ?? estimateTokens([text]),
  };
}
