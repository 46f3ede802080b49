/** The local models among the settings, once they were found in the models folder. */

import { join } from "node:path";
import type { IdentifiedModel } from "./adapters/models/local/identify-model.ts";
import type { Config } from "./config.ts";

/** Folder of the bundled model's file. */
export function modelDirOf({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "models");
}

/** Embedding models of the configuration, those of new projects first. */
export function localEmbedders({
  embedding,
  previousEmbedding,
}: Pick<Config, "embedding" | "previousEmbedding">) {
  return [embedding, previousEmbedding].flatMap((settings) =>
    settings?.provider === "local" && settings.files !== null ? [settings.files] : [],
  );
}

/** null when the reranker is at a provider, and when there is none. */
export function localReranker({ rerank }: Pick<Config, "rerank">): IdentifiedModel | null {
  return rerank?.provider === "local" ? rerank.files : null;
}

/** The local reader, with the threshold of the configuration. */
export function localReader({ extraction }: Pick<Config, "extraction">): IdentifiedModel | null {
  const files = extraction?.files ?? null;
  if (files === null || files.reader === null || extraction === null || extraction.threshold === null)
    return files;
  const { threshold } = extraction;
  return { ...files, reader: { ...files.reader, threshold, relationThreshold: threshold } };
}
