/** The AI SDK's embedding models behind one interface: texts in, vectors out, no retries. */
import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { loadOnce } from "../language/load-once.ts";
import { ProviderFault, toFault } from "../language/provider-fault.ts";
import { createProviderFetch } from "../language/provider-fetch.ts";
import { estimateTokens, tokenCountOf } from "../language/token-count.ts";
import { orderVectors } from "./order-vectors.ts";
import { type EmbeddingSettings, embeddingModelName } from "./settings.ts";

/** For the numbers of so many vectors of up to four times the dimensions, with all their digits, and for what stands around them. */
const MOST_TEXTS = 64;
const NUMBER_BYTES = 32;
const SIZE_FACTOR = 4;
const AROUND = { bytes: 64 * 1024, values: 1_000 } as const;

export interface EmbeddingReply {
  /** Unchecked, as the provider sent them; in the order of the texts. */
  readonly vectors: readonly (readonly number[])[];
  readonly tokens: number;
}

export interface EmbeddingProvider {
  /** @throws ProviderFault, or the signal's reason */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingReply>;
}

/**
 * Loads the library at the first call. Requests contain the number of dimensions. If the provider rejects
 * such a request (any bad-request status), it is repeated without that number; if that succeeds, later
 * requests omit the number, too.
 */
export function openEmbeddingProvider(settings: EmbeddingSettings, now: () => number): EmbeddingProvider {
  const open = (texts: number) => {
    const numbers = SIZE_FACTOR * texts * settings.dimensions;
    const fetch = createProviderFetch({
      maxReplyBytes: AROUND.bytes + NUMBER_BYTES * numbers,
      maxReplyValues: AROUND.values + numbers,
      now,
    });
    return loadOnce(() => load(settings, fetch));
  };
  // The vector of a question is parsed in the main thread.
  const [modelOfOne, modelOfMany] = [open(1), open(MOST_TEXTS)];
  let sendsDimensions = true;

  async function request(
    texts: readonly string[],
    options: { readonly signal: AbortSignal; readonly dimensions: number | null },
  ): Promise<EmbeddingReply> {
    try {
      const model = await (texts.length === 1 ? modelOfOne : modelOfMany)();
      const { embeddings, usage, response } = await model.doEmbed({
        values: [...texts],
        abortSignal: options.signal,
        ...(options.dimensions === null ? {} : { dimensions: options.dimensions }),
      });
      // The library takes them as they come.
      const vectors = orderVectors(embeddings, response?.body);
      return { vectors, tokens: tokenCountOf(usage?.tokens) ?? estimateTokens(texts) };
    } catch (error) {
      options.signal.throwIfAborted();
      throw toFault(error);
    }
  }

  return {
    async embed(texts, signal) {
      if (!sendsDimensions) return request(texts, { signal, dimensions: null });
      try {
        return await request(texts, { signal, dimensions: settings.dimensions });
      } catch (error) {
        if (!(error instanceof ProviderFault && error.isBadRequest)) throw error;
        const reply = await request(texts, { signal, dimensions: null });
        sendsDimensions = false;
        return reply;
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
