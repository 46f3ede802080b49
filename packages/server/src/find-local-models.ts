/** The local models that the configuration names, found in the models folder at the start. */
import { totalmem } from "node:os";
import { describeModel, type ModelDescription } from "./adapters/models/local/describe-model.ts";
import { requireDevice } from "./adapters/models/local/device.ts";
import {
  type IdentifiedModel,
  identifyModel,
  requireIntact,
} from "./adapters/models/local/identify-model.ts";
import { createLazyModel } from "./adapters/models/local/lazy-model.ts";
import { bytesOfCopies } from "./adapters/models/local/memory.ts";
import { ModelFault } from "./adapters/models/local/model-fault.ts";
import { requireGraphs } from "./adapters/models/local/require-graphs.ts";
import { MINILM_MODEL } from "./adapters/models/minilm-embedder.ts";
import type { Config } from "./config.ts";
import { localEmbedders, localReader } from "./configured-models.ts";
import type { EmbeddingActivity } from "./ports/embedding-activity.ts";
import { ReaderUnavailableError } from "./ports/entity-reader.ts";
import type { Log } from "./ports/log.ts";

/**
 * The same configuration with the models that it names. A model that is not there, or is of another kind, ends the start:
 * its vector space is not known.
 * @throws ModelFault that names the setting
 */
export async function findLocalModels(config: Config, log: Log): Promise<Config> {
  const { modelsDir, modelsDevice } = config;
  await withSetting("KCS_MODELS_DEVICE", () => requireDevice(modelsDevice));
  const find = async <T extends { readonly model: string }>(
    settings: T,
    { setting, task }: { readonly setting: string; readonly task: ModelDescription["task"] },
  ): Promise<T & { readonly files: IdentifiedModel }> => {
    const files = await withSetting(setting, async () => {
      const described = await describeModel(modelsDir, settings.model);
      if (described.task !== task)
        throw new ModelFault(`${settings.model} is no model for this: it is for ${described.task}.`);
      return identifyModel(described, modelsDevice);
    });
    return { ...settings, files };
  };
  const { rerank, answer, extraction } = config;
  const embedding = unlessBundled(config.embedding);
  const previousEmbedding = unlessBundled(config.previousEmbedding);
  const found: Config = {
    ...config,
    embedding:
      embedding?.provider === "local"
        ? await find(embedding, { setting: "KCS_EMBEDDING_MODEL", task: "embedding" })
        : embedding,
    previousEmbedding:
      previousEmbedding?.provider === "local"
        ? await find(previousEmbedding, { setting: "KCS_EMBEDDING_PREVIOUS_MODEL", task: "embedding" })
        : previousEmbedding,
    rerank:
      rerank?.provider === "local"
        ? await find(rerank, { setting: "KCS_RERANK_MODEL", task: "rerank" })
        : rerank,
    answer: answer === null ? null : await find(answer, { setting: "KCS_ANSWER_MODEL", task: "answer" }),
    extraction:
      extraction === null
        ? null
        : await find(extraction, { setting: "KCS_EXTRACTION_MODEL", task: "extraction" }),
  };
  tellMemory(found, log);
  return found;
}

/** @throws ModelFault with the name of the setting in front */
async function withSetting<T>(setting: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ModelFault) throw new ModelFault(`${setting}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** The bundled model has a name like the others. It is there without being configured. */
function unlessBundled(settings: Config["embedding"]): Config["embedding"] {
  return settings?.provider === "local" && settings.model === MINILM_MODEL ? null : settings;
}

/**
 * Reads all files of the local reader, which is loaded with the first chunk only, so that a damaged or unfit one is known at the
 * start.
 */
export async function checkReader(
  model: IdentifiedModel,
  onActivity: (activity: EmbeddingActivity) => void,
): Promise<void> {
  const check = createLazyModel(model, {
    async open() {
      await requireIntact(model);
      requireGraphs(model);
      return { close: async () => undefined };
    },
    onActivity,
    toError: (message, cause) => new ReaderUnavailableError(message, cause),
    now: Date.now,
  });
  await check
    .use(async () => undefined)
    .catch((error: unknown) => {
      if (!(error instanceof ReaderUnavailableError)) throw error;
    });
}

/** Each thread has its own copy. @throws ModelFault when they need more than allowed */
function tellMemory(config: Config, log: Log): void {
  const { queryThreads, ingestThreads } = config;
  const embedders = localEmbedders(config).map((model) => ({ model, copies: queryThreads + ingestThreads }));
  const forQuestions = [config.rerank, config.answer].flatMap((settings) =>
    settings?.provider === "local" && settings.files ? [{ model: settings.files, copies: queryThreads }] : [],
  );
  const reader = localReader(config);
  const forTexts = reader === null ? [] : [{ model: reader, copies: ingestThreads }];
  const loaded = [...embedders, ...forQuestions, ...forTexts];
  if (loaded.length === 0) return;
  const needs = loaded.map(({ model, copies }) => ({
    model: model.id,
    copies,
    bytes: bytesOfCopies(model, copies),
  }));
  const bytes = needs.reduce((sum, need) => sum + need.bytes, 0);
  const limitBytes = config.modelsMemoryBytes ?? Math.min(totalmem(), process.constrainedMemory()) / 2;
  log.info("local_models", { models: needs, bytes, limitBytes });
  if (bytes <= limitBytes) return;
  const list = needs.map(({ model, copies, bytes }) => `${model} ${inMegabytes(bytes)} in ${copies} threads`);
  throw new ModelFault(
    `The local models would need about ${inMegabytes(bytes)} (${list.join(", ")}), and ${inMegabytes(limitBytes)} are allowed. ` +
      "Lower KCS_INGEST_THREADS or KCS_QUERY_THREADS, take a smaller model or its 8-bit file, or raise KCS_MODELS_MEMORY_BYTES.",
  );
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
