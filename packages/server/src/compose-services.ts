/** The services that HTTP and MCP both reach. */
import { createReadingServices, type ReadingServices } from "./compose-reading.ts";
import type { Config } from "./config.ts";
import type { AccountLimits } from "./domain/limits.ts";
import { DEFAULT_CHUNKING } from "./engine/ingest/defaults.ts";
import { configuredSpaces, defaultSpace } from "./open-embedders.ts";
import type { EmbedQuestion, VectorAnswerer } from "./ports/answerer.ts";
import type { LanguageModel } from "./ports/language-model.ts";
import type { Log } from "./ports/log.ts";
import type { Store } from "./ports/store.ts";
import { createIngestionService, type IngestionService } from "./services/ingestion.ts";
import type { ModelAllowance } from "./services/model-allowance.ts";
import { createProgressService, type ProgressService } from "./services/progress.ts";
import { createProjectService, type ProjectService } from "./services/projects.ts";
import { createQueryService, type QueryService } from "./services/queries.ts";
import type { QueryMeter } from "./services/query-meter.ts";
import { createReembeddingService, type ReembeddingService } from "./services/reembedding.ts";

export interface SharedServices extends ReadingServices {
  readonly projects: ProjectService;
  readonly ingestion: IngestionService;
  readonly queries: QueryService;
  readonly progress: ProgressService;
  readonly reembedding: ReembeddingService;
}

export function createServices(parts: {
  readonly config: Config;
  readonly store: Store;
  readonly limits: AccountLimits;
  readonly now: () => number;
  readonly queryThreads: VectorAnswerer;
  readonly embedQuestion: EmbedQuestion;
  readonly languageModel: LanguageModel | null;
  readonly allowance: ModelAllowance;
  readonly queryMeter: QueryMeter;
  /** Wakes the worker: there is something to do. */
  readonly wake: () => void;
  /** Jobs were cancelled or deleted: the worker ends what it does for them, and gives back space. */
  readonly checkJobs: () => void;
  /** Called once for each segment of the index that a question finds damaged. */
  readonly onDamageReported: () => void;
  readonly log: Log;
}): SharedServices {
  const { config, store, limits, now, languageModel, allowance, queryMeter, wake, checkJobs, log } = parts;
  const shared = { store, limits, now };
  return {
    projects: createProjectService({
      ...shared,
      signUp: config.signUp,
      config: newProjectConfig(config),
      extraction: config.languageModel === null ? "built_in" : "model",
      onDeleted: checkJobs,
    }),
    ingestion: createIngestionService({
      ...shared,
      requestsPerMinute: config.ingestPerMinute,
      tokenLimit: config.tokenLimit,
      onAccepted: wake,
      onCancelled: checkJobs,
    }),
    ...createReadingServices({
      config,
      store,
      limits,
      queryMeter,
      onDeleted: checkJobs,
    }),
    queries: createQueryService({
      store,
      queryThreads: parts.queryThreads,
      embedQuestion: parts.embedQuestion,
      languageModel,
      allowance,
      meter: queryMeter,
      log,
      onDamageReported: parts.onDamageReported,
      now,
      maxConcurrent: limits.concurrentQueries,
    }),
    reembedding: createReembeddingService({
      ...{ store, allowance, wake, now },
      spaces: configuredSpaces(config),
    }),
    progress: createProgressService({
      ...{ store, log, now: Date.now },
      maxPerAccount: limits.eventStreams,
    }),
  };
}

function newProjectConfig({ embedding }: Config) {
  const { model, dimensions } = defaultSpace({ embedding });
  return {
    embeddingModel: model,
    embeddingDimensions: dimensions,
    chunkTokens: DEFAULT_CHUNKING.targetTokens,
    chunkOverlapTokens: DEFAULT_CHUNKING.overlapTokens,
  };
}
