/**
 * Families of open models that this adapter is written for, with what their repositories say about them. No hash is known
 * here: a download is verified against those of the hub. `hints` are what the files of the repository do not say.
 */
import type { ModelHints } from "./manifest.ts";

export interface CatalogueEntry {
  readonly id: string;
  readonly task: "embedding" | "rerank" | "answer" | "extraction";
  readonly megabytes: number;
  readonly licence: string;
  /** Of its vectors; null for other tasks. */
  readonly dimensions: number | null;
  readonly maxTokens: number;
  readonly languages: string;
  readonly hints?: ModelHints;
}

const bge: ModelHints = {
  queryPrefix: "Represent this sentence for searching relevant passages: ",
  pooling: "cls",
};
const e5: ModelHints = { queryPrefix: "query: ", passagePrefix: "passage: ", pooling: "mean" };
const nomic: ModelHints = {
  queryPrefix: "search_query: ",
  passagePrefix: "search_document: ",
  pooling: "mean",
};

const english = { task: "embedding", languages: "English", maxTokens: 512 } as const;
const many = { task: "embedding", languages: "100 languages", maxTokens: 512 } as const;
const rerank = { task: "rerank", dimensions: null, maxTokens: 512 } as const;
const answer = { task: "answer", dimensions: null, maxTokens: 512 } as const;
const reader = { task: "extraction", dimensions: null, maxTokens: 512 } as const;
const mit = { licence: "MIT" } as const;
const ccBy = { licence: "CC-BY-4.0" } as const;
const apache = { licence: "Apache-2.0" } as const;

export const CATALOGUE: readonly CatalogueEntry[] = [
  { ...english, ...mit, id: "BAAI/bge-small-en-v1.5", megabytes: 133, dimensions: 384, hints: bge },
  { ...english, ...mit, id: "BAAI/bge-base-en-v1.5", megabytes: 436, dimensions: 768, hints: bge },
  { ...english, ...mit, id: "BAAI/bge-large-en-v1.5", megabytes: 1_340, dimensions: 1024, hints: bge },
  {
    ...many,
    ...mit,
    id: "BAAI/bge-m3",
    megabytes: 2_270,
    dimensions: 1024,
    maxTokens: 8_192,
    hints: { pooling: "cls" },
  },
  { ...english, ...mit, id: "intfloat/e5-small-v2", megabytes: 133, dimensions: 384, hints: e5 },
  { ...english, ...mit, id: "intfloat/e5-base-v2", megabytes: 436, dimensions: 768, hints: e5 },
  { ...many, ...mit, id: "intfloat/multilingual-e5-small", megabytes: 470, dimensions: 384, hints: e5 },
  { ...many, ...mit, id: "intfloat/multilingual-e5-base", megabytes: 1_110, dimensions: 768, hints: e5 },
  {
    ...english,
    ...mit,
    id: "thenlper/gte-small",
    megabytes: 133,
    dimensions: 384,
    hints: { pooling: "mean" },
  },
  {
    ...english,
    ...mit,
    id: "thenlper/gte-base",
    megabytes: 436,
    dimensions: 768,
    hints: { pooling: "mean" },
  },
  {
    ...{ ...english, ...apache, id: "Alibaba-NLP/gte-modernbert-base", megabytes: 596, dimensions: 768 },
    ...{ maxTokens: 8_192, hints: { pooling: "cls" } },
  },
  {
    ...{ ...english, ...apache, id: "nomic-ai/nomic-embed-text-v1.5", megabytes: 547, dimensions: 768 },
    ...{ maxTokens: 8_192, hints: nomic },
  },
  {
    ...{
      ...many,
      ...apache,
      id: "Snowflake/snowflake-arctic-embed-m-v2.0",
      megabytes: 1_220,
      dimensions: 768,
    },
    ...{ maxTokens: 8_192, hints: { queryPrefix: "query: ", pooling: "cls" } },
  },
  { ...rerank, ...apache, id: "cross-encoder/ms-marco-MiniLM-L6-v2", megabytes: 91, languages: "English" },
  { ...rerank, ...mit, id: "BAAI/bge-reranker-base", megabytes: 1_110, languages: "English, Chinese" },
  { ...rerank, ...apache, id: "mixedbread-ai/mxbai-rerank-xsmall-v1", megabytes: 284, languages: "English" },
  {
    ...{ ...rerank, ...apache, id: "Alibaba-NLP/gte-reranker-modernbert-base", megabytes: 599 },
    ...{ languages: "English", maxTokens: 8_192 },
  },
  {
    ...{ ...answer, ...ccBy, id: "tomasmcm/deepset-tinyroberta-squad2-onnx", megabytes: 326 },
    languages: "English",
  },
  { ...answer, ...ccBy, id: "optimum/roberta-base-squad2", megabytes: 496, languages: "English" },
  { ...reader, ...apache, id: "onnx-community/gliner_small-v2.1", megabytes: 611, languages: "English" },
  { ...reader, ...apache, id: "onnx-community/gliner_medium-v2.1", megabytes: 781, languages: "English" },
  { ...reader, ...apache, id: "onnx-community/gliner_large-v2.1", megabytes: 1_780, languages: "English" },
  { ...reader, ...apache, id: "onnx-community/gliner_multi-v2.1", megabytes: 1_160, languages: "many" },
];

export function findInCatalogue(id: string): CatalogueEntry | null {
  return CATALOGUE.find((entry) => entry.id === id) ?? null;
}
