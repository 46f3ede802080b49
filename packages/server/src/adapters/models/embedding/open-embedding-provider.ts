/** The AI SDK's embedding models behind one question: texts in, vectors out, no retries. */
import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { loadOnce } from "../language/load-once.ts";
import { ProviderFault, toFault } from "../language/provider-fault.ts";
import { createProviderFetch } from "../language/provider-fetch.ts";
import { type EmbeddingSettings, embeddingModelName } from "./settings.ts";

/** 64 vectors of 16,384 numbers with all their digits fit twice. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;
/** How many characters a token has, where a provider does not count. */
const CHARACTERS_PER_TOKEN = 4;

export interface Embedded {
  /** As they came, in the order of the texts. */
  readonly vectors: readonly (readonly number[])[];
  readonly tokens: number;
}

export interface EmbeddingProvider {
  /** @throws ProviderFault, or the signal's reason */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
}

/**
 * The library is loaded with the first text. The number of dimensions is sent along; a provider that refuses such a
 * request (any 400) is asked once more without it, and from then on if that was all it minded.
 */
export function openEmbeddingProvider(settings: EmbeddingSettings, now: () => number): EmbeddingProvider {
  const fetch = createProviderFetch({ maxReplyBytes: MAX_REPLY_BYTES, now });
  const model = loadOnce(() => load(settings, fetch));
  let namesDimensions = true;

  async function ask(
    texts: readonly string[],
    options: { readonly signal: AbortSignal; readonly dimensions: number | null },
  ): Promise<Embedded> {
    try {
      const { embeddings, usage } = await (await model()).doEmbed({
        values: [...texts],
        abortSignal: options.signal,
        ...(options.dimensions === null ? {} : { dimensions: options.dimensions }),
      });
      return { vectors: embeddings, tokens: usage?.tokens ?? estimateTokens(texts) };
    } catch (error) {
      options.signal.throwIfAborted();
      throw toFault(error);
    }
  }

  return {
    async embed(texts, signal) {
      if (!namesDimensions) return ask(texts, { signal, dimensions: null });
      try {
        return await ask(texts, { signal, dimensions: settings.dimensions });
      } catch (error) {
        if (!(error instanceof ProviderFault && error.isBadRequest)) throw error;
        const embedded = await ask(texts, { signal, dimensions: null });
        namesDimensions = false;
        return embedded;
      }
    },
  };
}

async function load(settings: EmbeddingSettings, fetch: typeof globalThis.fetch): Promise<EmbeddingModelV4> {
  const { provider, baseUrl, apiKey, model } = settings;
  if (provider === "google") {
    const { createGoogle } = await import("@ai-sdk/google");
    return createGoogle({ baseURL: baseUrl, apiKey: apiKey ?? "", fetch }).embeddingModel(model);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const key = apiKey === null ? {} : { apiKey };
  const name = embeddingModelName(settings);
  return createOpenAICompatible({ name, baseURL: baseUrl, fetch, ...key }).embeddingModel(model);
}

function estimateTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.ceil(text.length / CHARACTERS_PER_TOKEN), 0);
}
