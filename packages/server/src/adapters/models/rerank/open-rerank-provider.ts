/** `POST …/rerank`: a question and passages in, a score for each passage out, no retries. */
import { ProviderFault } from "../language/provider-fault.ts";
import { createProviderFetch } from "../language/provider-fetch.ts";
import { estimateTokens } from "../language/token-count.ts";
import { type ReadScores, readScores } from "./read-scores.ts";
import type { RerankProviderName, RerankSettings } from "./settings.ts";

/** Some servers return the passages, too: 4,000 characters of each, escaped, need less. */
const MAX_REPLY_BYTES = 1024 * 1024;
/** Three for each score, and what else a server may tell about it. */
const MAX_REPLY_VALUES = 2_000;

export interface RerankReply extends ReadScores {
  readonly tokens: number;
}

export interface RerankProvider {
  /** @throws ProviderFault, or the signal's reason */
  score(question: string, passages: readonly string[], signal: AbortSignal): Promise<RerankReply>;
}

/** What a provider wants besides the question, the passages and their number. */
const EXTRA: Readonly<Record<RerankProviderName, object>> = {
  "openai-compatible": {},
  cohere: {},
  jina: { return_documents: false },
};

/**
 * A server of the OpenAI protocol that rejects `documents` (any bad-request status) is asked again with `texts`, as the
 * servers of Hugging Face want it; if that succeeds, so are later requests.
 */
export function openRerankProvider(settings: RerankSettings, now: () => number): RerankProvider {
  const fetch = createProviderFetch({
    maxReplyBytes: MAX_REPLY_BYTES,
    maxReplyValues: MAX_REPLY_VALUES,
    now,
  });
  const { provider, baseUrl, apiKey, model } = settings;
  const headers = {
    "content-type": "application/json",
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  let sendsTexts = false;

  async function request(
    members: object,
    { question, passages, signal }: { question: string; passages: readonly string[]; signal: AbortSignal },
  ): Promise<RerankReply> {
    const body = { model, query: question, ...members, top_n: passages.length, ...EXTRA[provider] };
    const response = await fetch(`${baseUrl}/rerank`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal,
    });
    const { scores, tokens } = readScores(parse(await response.text()), passages.length);
    return { scores, tokens: tokens ?? estimateTokens([question, ...passages]) };
  }

  return {
    async score(question, passages, signal) {
      const input = { question, passages, signal };
      // A passage that is too long for such a server is refused unless it may cut it.
      const asTexts = () => request({ texts: passages, truncate: true }, input);
      if (sendsTexts) return asTexts();
      try {
        return await request({ documents: passages }, input);
      } catch (error) {
        const isOtherKind =
          provider === "openai-compatible" && error instanceof ProviderFault && error.isBadRequest;
        if (!isOtherKind) throw error;
        const reply = await asTexts();
        sendsTexts = true;
        return reply;
      }
    },
  };
}

/** @throws ProviderFault */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Also NaN, which some servers write. The parser's message is left out, because it quotes the reply.
    throw new ProviderFault("unavailable", "its reply is not JSON");
  }
}
