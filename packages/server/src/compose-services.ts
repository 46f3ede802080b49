/** The services over the store, the threads and the models. */

import { isSitemap } from "./adapters/files/web/sitemap-reader.ts";
import { createRemoteReranker } from "./adapters/models/rerank/create-remote-reranker.ts";
import { createPageFetcher } from "./adapters/webhooks/page-fetcher.ts";
import { accountLimits, outgoing } from "./compose-threads.ts";
import type { Config } from "./config.ts";
import type { AccountLimits } from "./domain/limits.ts";
import { DEFAULT_CHUNKING } from "./engine/ingest/defaults.ts";
import type { ReadLargeBody } from "./http/large-body.ts";
import { bodyWithSchema, comparisonBody } from "./http/ontology-body.ts";
import { presentEvent } from "./http/present-events.ts";
import type { Monitoring } from "./metrics.ts";
import { configuredSpaces, defaultSpace, openQuestionVectors } from "./open-embedders.ts";
import { openLanguageModel } from "./open-language-model.ts";
import type { Log } from "./ports/log.ts";
import type { RemoteReranker } from "./ports/reranker.ts";
import type { SitemapReader } from "./ports/sitemap-reader.ts";
import type { Store } from "./ports/store.ts";
import type { Suggester } from "./ports/suggester.ts";
import type { WebhookSender } from "./ports/webhook-sender.ts";
import { type CorrectionThread, createCorrectionService } from "./services/corrections.ts";
import { createDocumentService } from "./services/documents.ts";
import { createFeedbackService } from "./services/feedback.ts";
import { createFileService } from "./services/files.ts";
import { createGraphService } from "./services/graph.ts";
import { createIngestionService } from "./services/ingestion.ts";
import { createJobQueueService } from "./services/job-queue.ts";
import { createModelAllowance } from "./services/model-allowance.ts";
import { createOntologyService } from "./services/ontologies.ts";
import { type AddExamples, createOntologyExampleService } from "./services/ontology-examples.ts";
import { createOntologyFileService, type WriteOntologyFile } from "./services/ontology-files.ts";
import { createOntologyReader, type FindOntology } from "./services/ontology-reader.ts";
import { type CompareOntologies, createOntologyVersionService } from "./services/ontology-versions.ts";
import { createProgressService } from "./services/progress.ts";
import { createProjectChangeService } from "./services/project-changes.ts";
import { createProjectDeletions, type ProjectDeletions } from "./services/project-deletions.ts";
import { createProjectNumbersService } from "./services/project-numbers.ts";
import { createProjectService } from "./services/projects.ts";
import { createQueryService } from "./services/queries.ts";
import type { QueryMeter } from "./services/query-meter.ts";
import { createReembeddingService } from "./services/reembedding.ts";
import { createRereadingService } from "./services/rereading.ts";
import { createSuggest } from "./services/suggestions.ts";
import { createUsageService } from "./services/usage.ts";
import { createWebhookService } from "./services/webhooks.ts";
import type { IngestSupervisor } from "./threads/ingest-supervisor.ts";
import type { QueryPool } from "./threads/query-pool.ts";

export interface ServiceParts {
  readonly config: Config;
  readonly store: Store;
  readonly queries: QueryPool;
  readonly ingest: IngestSupervisor;
  readonly suggester: Suggester;
  readonly readLargeBody: ReadLargeBody;
  readonly webhookSender: WebhookSender;
  readonly queryMeter: QueryMeter;
  readonly monitoring: Monitoring;
  readonly log: Log;
}

interface SharedParts extends ServiceParts {
  readonly findOntology: FindOntology;
  readonly compareOntologies: CompareOntologies;
  readonly deletions: ProjectDeletions;
}

export type Services = ReturnType<typeof createServices>;

export function createServices(given: ServiceParts) {
  const { config } = given;
  const { store } = given;
  const findOntology = createOntologyReader(store);
  const parts: SharedParts = {
    ...given,
    findOntology,
    deletions: createProjectDeletions(store),
    async compareOntologies(accountId, { before, after }, graph) {
      const pieces = comparisonBody(before, after, graph);
      return (await given.readLargeBody({ form: "comparison", pieces }, accountId))();
    },
  };
  const limits = accountLimits(config);
  const { projectChanges, ...ofProjects } = createProjectServices(parts, limits);
  const { ontologies, ontologyVersions, ...asking } = createAskingServices(parts, limits);
  return {
    ...{ ...ofProjects, projectChanges, ...asking, ontologies, ontologyVersions },
    ...createReadingServices(parts, limits),
    ontologyExamples: createOntologyExampleService({
      ...{ store: parts.store, ontologies, versions: ontologyVersions, projectChanges },
      addExamples: exampleAdder(parts),
    }),
    webhooks: createWebhookService({
      store: parts.store,
      sender: parts.webhookSender,
      present: presentEvent,
      now: parts.store.now,
      maxPerAccount: limits.webhooks,
      signUp: config.signUp,
    }),
  };
}

/** Projects and what happens in them. */
function createProjectServices(parts: SharedParts, limits: AccountLimits) {
  const { config, store, ingest, log, findOntology, deletions } = parts;
  const shared = { store, limits, now: store.now };
  const accepting = {
    requestsPerMinute: config.ingestPerMinute,
    tokenLimit: config.tokenLimit,
    onAccepted: ingest.wake,
    onCancelled: ingest.check,
  };
  const ingestion = createIngestionService({ ...shared, ...accepting });
  const rereading = createRereadingService({ ...shared, ...accepting, ingestion, log });
  const projects = createProjectService({
    ...shared,
    findOntology,
    signUp: config.signUp,
    config: newProjectConfig(config),
    extraction: config.languageModel === null && config.extraction === null ? "built_in" : "model",
    onDeleted(projectId) {
      deletions.report(projectId);
      ingest.check();
    },
  });
  return {
    projects,
    projectChanges: createProjectChangeService({
      ...{ ...shared, ...accepting, projects, rereading, findOntology },
      compareOntologies: parts.compareOntologies,
    }),
    ingestion,
    jobQueue: createJobQueueService({ store, ingestion, log, now: store.now, onCancelled: ingest.check }),
    feedback: createFeedbackService(shared),
    corrections: createCorrectionService({ ...shared, log, thread: correctionThread(parts) }),
    files: createFileService({
      ...shared,
      ...accepting,
      maxFileBytes: config.maxFileBytes,
      pages: createPageFetcher(outgoing(config)),
      sitemaps: sitemapReader(parts),
    }),
    rereading,
    progress: createProgressService({ store, log, now: store.now, maxPerAccount: limits.eventStreams }),
    documents: createDocumentService({ store, log, now: store.now, onDeleted: ingest.check }),
  };
}

function newProjectConfig({ embedding, confidenceLimits }: Config) {
  const { model, dimensions } = defaultSpace({ embedding });
  return {
    embeddingModel: model,
    embeddingDimensions: dimensions,
    chunkTokens: DEFAULT_CHUNKING.targetTokens,
    chunkOverlapTokens: DEFAULT_CHUNKING.overlapTokens,
    confidenceLimits,
  };
}

/** Graph, numbers and usage. */
function createReadingServices({ config, store, queryMeter }: ServiceParts, limits: AccountLimits) {
  const space = defaultSpace(config);
  return {
    graph: createGraphService({ store, now: store.now }),
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
      store,
      limits,
      now: store.now,
      flushQueries: queryMeter.flush,
      tokenLimit: config.tokenLimit,
      requestsPerMinute: config.ingestPerMinute,
    }),
  };
}

/** Questions, suggestions and moves between models: the services that share the token allowance of an account. */
function createAskingServices(parts: SharedParts, limits: AccountLimits) {
  const { config, store, queries, ingest, monitoring, queryMeter, log } = parts;
  const { modelStatus, embeddingStatus } = monitoring;
  const languageModel = openLanguageModel(config, { store, modelStatus, log });
  const allowance = createModelAllowance({
    limit: config.tokenLimit,
    readTokenUse: store.readTokenUse,
    now: store.now,
  });
  const embedQuestion = openQuestionVectors(config, { store, log, onActivity: embeddingStatus.record });
  const ontologies = createOntologyService({
    store,
    findOntology: parts.findOntology,
    limits,
    now: store.now,
    signUp: config.signUp,
    suggest: createSuggest({ builtIn: parts.suggester, languageModel, allowance, now: store.now }),
  });
  const ontologyVersions = createOntologyVersionService({
    ...{ store, ontologies, limits, now: store.now },
    compareOntologies: parts.compareOntologies,
    onDeleted: ingest.check,
  });
  return {
    queries: createQueryService({
      store,
      queryThreads: queries,
      embedQuestion,
      languageModel,
      reranker: openReranker(parts),
      allowance,
      deletions: parts.deletions,
      meter: queryMeter,
      log,
      onDamageReported() {
        monitoring.damagedSegments.inc();
        ingest.wake();
      },
      onSummaryChecked({ sentences, unsupported }) {
        monitoring.writtenSentences.inc({ outcome: "supported" }, sentences - unsupported);
        monitoring.writtenSentences.inc({ outcome: "unsupported" }, unsupported);
      },
      now: Date.now,
      maxConcurrent: limits.concurrentQueries,
    }),
    ontologies,
    ontologyFiles: createOntologyFileService({ ontologies, write: ontologyWriter(parts) }),
    ontologyVersions,
    reembedding: createReembeddingService({
      store,
      allowance,
      wake: ingest.wake,
      now: store.now,
      spaces: configuredSpaces(config),
    }),
  };
}

function correctionThread({ readLargeBody }: ServiceParts): CorrectionThread {
  return {
    check: async (accountId, given, schemaJson) => {
      const pieces = bodyWithSchema(given, schemaJson);
      return (await readLargeBody({ form: "corrections", pieces }, accountId))();
    },
  };
}

function exampleAdder({ readLargeBody }: ServiceParts): AddExamples {
  return async (accountId, examples, schemaJson) => {
    const pieces = bodyWithSchema(examples, schemaJson);
    return (await readLargeBody({ form: "examples", pieces }, accountId))();
  };
}

function sitemapReader({ readLargeBody }: ServiceParts): SitemapReader {
  return {
    isSitemap,
    read: async (accountId, bytes) =>
      (await readLargeBody({ form: "sitemap", pieces: [bytes] }, accountId))(),
  };
}

function ontologyWriter({ readLargeBody }: ServiceParts): WriteOntologyFile {
  return async (accountId, { format, name, schemaJson }) => {
    const pieces = bodyWithSchema({ format, name }, schemaJson);
    return (await readLargeBody({ form: "ontologyText", pieces }, accountId))();
  };
}

/** null unless one at a provider is configured: a local one runs in the query threads. */
function openReranker({ config, store, monitoring, log }: ServiceParts): RemoteReranker | null {
  const { rerank, rerankMs } = config;
  if (rerank === null || rerank.provider === "local") return null;
  const { record } = monitoring.embeddingStatus;
  return createRemoteReranker(rerank, { limitMs: rerankMs, store, log, onActivity: record });
}
