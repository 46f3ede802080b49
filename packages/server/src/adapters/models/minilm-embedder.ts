import { type EncodedText, MINILM, openMiniLm, openTokenizer, silenceRuntime } from "@kcs/minilm";
import type { Embedder } from "../../ports/embedder.ts";

export const MINILM_MODEL = MINILM.name;
export const MINILM_DIMENSIONS = MINILM.dimensions;
/** Limit of the model's input, including special tokens. */
export const MINILM_MAX_TOKENS = MINILM.maxTokens;

/**
 * Disables network access of the model's runtime. Call it on the main thread before another thread loads the
 * model.
 */
export function silenceModelRuntime(): void {
  silenceRuntime();
}

export interface ClosableEmbedder extends Embedder {
  /** The vector that `embed` returns, and the model's hidden states of the words in the text. */
  encode(text: string): Promise<EncodedText>;
  close(): Promise<void>;
}

/**
 * Opens the bundled model in this thread. `embed` blocks the thread, so never call it on the main thread.
 * `aroundRun` wraps each call of the model's native code.
 * @throws ModelUnavailableError when the weights are missing or are not the expected ones
 */
export async function openMiniLmEmbedder(
  cacheDir: string,
  aroundRun?: <T>(run: () => Promise<T>) => Promise<T>,
): Promise<ClosableEmbedder> {
  const model = await openMiniLm(aroundRun === undefined ? { cacheDir } : { cacheDir, aroundRun });
  return {
    model: MINILM.name,
    dimensions: MINILM.dimensions,
    embed: (text) => model.embed(text),
    encode: (text) => model.encode(text),
    countTokens: (text) => model.tokenizer.countTokens(text),
    close: () => model.close(),
  };
}

/**
 * Counts tokens like the bundled model, without special tokens and without loading the model.
 * @throws ModelUnavailableError like `openMiniLmEmbedder`
 */
export async function openMiniLmTokenCounter(): Promise<(text: string) => number> {
  const tokenizer = await openTokenizer();
  return (text) => tokenizer.countTokens(text);
}
