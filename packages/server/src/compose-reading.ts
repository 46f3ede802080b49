/** The services that only read. */
import type { Config } from "./config.ts";
import type { AccountLimits } from "./domain/limits.ts";
import { configuredSpaces, defaultSpace } from "./open-embedders.ts";
import type { Store } from "./ports/store.ts";
import { createDocumentService, type DocumentService } from "./services/documents.ts";
import { createGraphService, type GraphService } from "./services/graph.ts";
import { createProjectNumbersService, type ProjectNumbersService } from "./services/project-numbers.ts";
import type { QueryMeter } from "./services/query-meter.ts";
import { createUsageService, type UsageService } from "./services/usage.ts";

export interface ReadingServices {
  readonly documents: DocumentService;
  readonly graph: GraphService;
  readonly numbers: ProjectNumbersService;
  readonly usage: UsageService;
}

export function createReadingServices(deps: {
  readonly config: Config;
  readonly store: Store;
  readonly limits: AccountLimits;
  readonly queryMeter: QueryMeter;
  /** Told after a document is gone, so that its space is given back. */
  readonly onDeleted: () => void;
}): ReadingServices {
  const { config, store, limits, queryMeter } = deps;
  const space = defaultSpace(config);
  return {
    documents: createDocumentService({ store, now: Date.now, onDeleted: deps.onDeleted }),
    graph: createGraphService({ store }),
    numbers: createProjectNumbersService({
      store,
      inUse: {
        embeddingModel: space.model,
        embeddingDimensions: space.dimensions,
        embeddingModels: configuredSpaces(config).map(({ model }) => model),
        maxTextBytes: config.maxTextBytes,
        languageModel: config.languageModel?.model ?? null,
      },
    }),
    usage: createUsageService({
      ...{ store, limits, now: Date.now, flushQueries: queryMeter.flush },
      tokenLimit: config.tokenLimit,
      requestsPerMinute: config.ingestPerMinute,
    }),
  };
}
