/**
 * all-MiniLM-L6-v2, English, Apache-2.0: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2
 * `maxTokens` includes [CLS] and [SEP]. The model card also truncates at 256; the model was trained with 128.
 */
export const MINILM = { name: "all-MiniLM-L6-v2", dimensions: 384, maxTokens: 256 } as const;
