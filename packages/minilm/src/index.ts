export { type EncodedText, MINILM, type MiniLm, openMiniLm } from "./minilm.ts";
export { ensureModel, type ModelFiles } from "./model-cache.ts";
export { ModelUnavailableError } from "./model-unavailable-error.ts";
export { silenceRuntime } from "./silence-runtime.ts";
export type { Tokenizer } from "./tokenizer.ts";
export { openTokenizer } from "./vocabulary.ts";
