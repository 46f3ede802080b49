/** The local models of a configuration. The code for them is loaded only where one is configured. */
import type { Config } from "./config.ts";
import { localReader } from "./configured-models.ts";
import type { EmbeddingActivity } from "./ports/embedding-activity.ts";
import type { Log } from "./ports/log.ts";

/** The same configuration with the models that it names. @throws ModelFault that names the setting */
export async function withLocalModels(config: Config, log: Log): Promise<Config> {
  const { embedding, previousEmbedding, rerank, answer, extraction, modelsDevice } = config;
  const isNamed =
    [embedding, previousEmbedding, rerank].some((settings) => settings?.provider === "local") ||
    [answer, extraction].some((settings) => settings !== null);
  if (!isNamed && modelsDevice === "cpu") return config;
  const { findLocalModels } = await import("./find-local-models.ts");
  return findLocalModels(config, log);
}

/** Tells of a local reader that cannot be used, before the first chunk. */
export async function checkLocalReader(
  config: Pick<Config, "extraction">,
  onActivity: (activity: EmbeddingActivity) => void,
): Promise<void> {
  const model = localReader(config);
  if (model === null) return;
  const { checkReader } = await import("./find-local-models.ts");
  await checkReader(model, onActivity);
}
