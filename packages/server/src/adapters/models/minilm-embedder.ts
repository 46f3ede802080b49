import { type EncodedText, MINILM, openMiniLm, openTokenizer, silenceRuntime } from "@kcs/minilm";
import type { Embedder } from "../../ports/embedder.ts";

export const MINILM_MODEL = MINILM.name;
export const MINILM_DIMENSIONS = MINILM.dimensions;
/** Of the model's input, special tokens included. */
export const MINILM_MAX_TOKENS = MINILM.maxTokens;

/** Keeps the model's runtime off the network. Call it on the main thread before another one loads the model. */
export function silenceModelRuntime(): void {
  silenceRuntime();
}

export interface ClosableEmbedder extends Embedder {
  /** The vector that `embed` gives, and the model's states of the text's words. */
  encode(text: string): Promise<EncodedText>;
  close(): Promise<void>;
}

/**
 * The bundled model in this thread. `embed` blocks the thread while it runs: never on the main one.
 * `aroundRun` wraps each call of the model's native code.
 * @throws ModelUnavailableError when the weights are missing or not the expected ones
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
 * Counts tokens as the bundled model does, special tokens not counted, without loading the model.
 * @throws ModelUnavailableError like the model itself
 */
export async function openMiniLmTokenCounter(): Promise<(text: string) => number> {
  const tokenizer = await openTokenizer();
  return (text) => tokenizer.countTokens(text);
}
