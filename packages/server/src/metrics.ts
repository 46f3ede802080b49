import { setTimeout as delay } from "node:timers/promises";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { PoolBoard } from "./adapters/database/pool-board.ts";
import { nameOfLocal } from "./adapters/models/local/lazy-model.ts";
import { rerankModelName } from "./adapters/models/rerank/settings.ts";
import type { MetricSamples } from "./adapters/telemetry/otlp-metrics.ts";
import type { Config } from "./config.ts";
import { localReranker } from "./configured-models.ts";
import { createQueueMetrics, type ProcessReport, registerProcessMetrics } from "./database-metrics.ts";
import { createEmbeddingStatusBoard, type EmbeddingStatusBoard } from "./embedding-status.ts";
import type { Operations } from "./http/routes/operations.ts";
import { SERVER } from "./mcp/server.ts";
import type { ModelStatusBoard } from "./model-status.ts";
import { addedSpaces } from "./open-embedders.ts";
import { createModelStatus } from "./open-language-model.ts";
import { registerPoolMetrics } from "./pool-metrics.ts";
import type { Log } from "./ports/log.ts";
import { type Store, StoreUnavailableError } from "./ports/store.ts";
import { type MemoryReports, receiveMemory } from "./rpc/thread-memory.ts";
import type { SegmentStore } from "./segment-store.ts";
import { createStoreStatus, type StoreStatus } from "./store-status.ts";
import type { ThreadBoard } from "./threads/board.ts";
import { THREAD_NAMES } from "./threads/kinds.ts";
import { createWorkMetrics, type WorkMetrics } from "./work-metrics.ts";

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What the parts of the service record from their start on; `createOperations` publishes it. */
export interface Monitoring {
  readonly damagedSegments: Counter;
  readonly toolCalls: Counter<"tool" | "outcome">;
  readonly writtenSentences: Counter<"outcome">;
  /** null when no language model is configured. */
  readonly modelStatus: ModelStatusBoard | null;
  readonly embeddingStatus: EmbeddingStatusBoard;
  readonly storeStatus: StoreStatus;
  readonly work: WorkMetrics;
  /** What runs. */
  readonly build: Gauge<"version" | "node" | "role">;
  /** The name of the configured reranker; null when there is none. */
  readonly reranker: string | null;
  /** The name of the configured local reader; null when there is none. */
  readonly reader: string | null;
  /** The same of the model that answers questions. */
  readonly answerer: string | null;
  /** What computes the local models; null when there are none. */
  readonly modelsDevice: string | null;
  readonly threads: Pick<ThreadBoard, "read">;
  readonly memory: MemoryReports;
  /** Of traces, so far; null when they are not recorded. */
  readonly spans: { readonly sent: number; readonly dropped: number } | null;
}

export function createMonitoring(
  config: Pick<
    Config,
    | "role"
    | "languageModel"
    | "tokenLimit"
    | "embedding"
    | "previousEmbedding"
    | "rerank"
    | "answer"
    | "extraction"
  >,
  threads: Pick<ThreadBoard, "read">,
): Monitoring {
  return {
    damagedSegments: new Counter({
      name: "kcs_damaged_segments_total",
      help: "Segments of the search index that were found damaged and marked to be rebuilt.",
      registers: [],
    }),
    // In HTTP's metrics they all look the same: one path, and a success that may contain an error.
    toolCalls: new Counter({
      name: "kcs_mcp_tool_calls_total",
      help: "Calls of MCP tools, by tool and outcome: ok, refused (the caller's fault) or failed.",
      labelNames: ["tool", "outcome"],
      registers: [],
    }),
    writtenSentences: new Counter({
      name: "kcs_written_sentences_total",
      help: "Sentences of summaries by a language model: supported by a passage, or unsupported and left out.",
      labelNames: ["outcome"],
      registers: [],
    }),
    modelStatus: createModelStatus(config),
    embeddingStatus: createEmbeddingStatusBoard(addedSpaces(config).map(({ model }) => model)),
    storeStatus: createStoreStatus(),
    work: createWorkMetrics(),
    build: createBuildInfo(config),
    reranker: rerankerName(config),
    reader: config.extraction?.files ? nameOfLocal(config.extraction.files) : null,
    answerer: config.answer?.files ? nameOfLocal(config.answer.files) : null,
    modelsDevice: deviceOf([
      ...[config.embedding, config.previousEmbedding],
      ...[config.rerank, config.answer, config.extraction],
    ]),
    threads,
    memory: receiveMemory(),
    spans: null,
  };
}

function rerankerName(config: Pick<Config, "rerank">): string | null {
  const { rerank } = config;
  if (rerank !== null && rerank.provider !== "local") return rerankModelName(rerank);
  const files = localReranker(config);
  return files === null ? null : nameOfLocal(files);
}

function createBuildInfo({ role }: Pick<Config, "role">) {
  const build = new Gauge({
    name: "kcs_build_info",
    help: "1, with the version of the service and of Node, and the role of this process.",
    labelNames: ["version", "node", "role"],
    registers: [],
  });
  build.labels(SERVER.version, process.version, role).set(1);
  return build;
}

/** All local models have the same. */
function deviceOf(settings: readonly (Config["embedding"] | Config["rerank"])[]): string | null {
  const devices = settings.flatMap((each) =>
    each?.provider === "local" && each.files ? [each.files.device] : [],
  );
  return devices[0] ?? null;
}

/** Whoever asks for the readiness waits for seconds, not for a minute. */
const PING_LIMIT_MS = 3_000;

async function afterLimit(limitMs: number, signal: AbortSignal): Promise<string> {
  await delay(limitMs, undefined, { ref: false, signal }).catch(() => undefined);
  return `The database has not answered for ${limitMs / 1000} seconds.`;
}

interface OperationsDeps {
  readonly store: Pick<Store, "ping" | "readCounts">;
  /** Why parts of the service cannot do their work; null for each part that can. */
  readonly faults: () => readonly (string | null)[];
  /** null where the bytes of segments are in the database. */
  readonly segments?: Pick<SegmentStore, "fault"> | null;
  /** null where the database has one process. */
  readonly registration: ProcessReport | null;
  /** Reaches the database by the way that questions take. @throws StoreUnavailableError */
  readonly checkQueries: () => Promise<void>;
  /** Use of connections; null where there are none. */
  readonly pools: Pick<PoolBoard, "read"> | null;
  readonly monitoring: Monitoring;
  readonly log: Log;
  readonly now: () => number;
  readonly pingLimitMs?: number;
}

/** Readiness and metrics over the composed service. No metric carries an account, a project or a document. */
export function createOperations(
  deps: OperationsDeps,
): Operations & { /** For a collector. */ samples(): Promise<readonly MetricSamples[]> } {
  const registry = new Registry();
  const { registration, monitoring } = deps;
  const { modelStatus, embeddingStatus, reranker, answerer, reader, storeStatus } = monitoring;
  // They include the main thread's event-loop delay since the last scrape, nodejs_eventloop_lag_*; of an idle loop it
  // is the precision, 10 ms.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 });
  // The library names these gauges like counters. Each is the sum of the gauge of the same name without `_total`.
  for (const kind of ["handles", "requests", "resources"])
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const requests = new Histogram({
    name: "kcs_http_request_seconds",
    help: "Time to answer a request, by route and status.",
    labelNames: ["method", "route", "status"],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const scrapeFaults = new Counter({
    name: "kcs_scrape_faults_total",
    help: "Scrapes for which the database did not answer.",
    registers: [registry],
  });
  registerMonitoring(registry, monitoring);
  registerShared(registry, deps);
  const queue = createQueueMetrics(deps);

  /** Without those of the queue while another process reports them, or the database does not answer: the other metrics matter most then. */
  async function registries(): Promise<readonly Registry[]> {
    try {
      const ofQueue = await queue.read();
      return ofQueue === null ? [registry] : [registry, ofQueue];
    } catch (error) {
      scrapeFaults.inc();
      deps.log.warn("scrape_without_counts", { error });
      return [registry];
    }
  }

  return {
    storeFailed: (error) => storeStatus.failed(error, deps.now()),
    async faults() {
      const told = (error: unknown) => {
        if (error instanceof StoreUnavailableError) return error.message;
        deps.log.error("database_check_failed", { error });
        return "The database does not answer; the service's log has the cause.";
      };
      const answered = Promise.all([deps.store.ping(), deps.checkQueries()]).then(() => null, told);
      const ended = new AbortController();
      const late = afterLimit(deps.pingLimitMs ?? PING_LIMIT_MS, ended.signal);
      const outside = deps.segments?.fault() ?? null;
      const database = await Promise.race([answered, late]);
      ended.abort();
      const all = [database, await outside, storeStatus.fault(deps.now()), ...deps.faults()];
      return [...new Set(all.filter((fault) => fault !== null))];
    },
    databaseFault: () => registration?.fault() ?? null,
    async processes() {
      if (registration === null) return null;
      return {
        running: registration.running().length,
        differIn: registration.differences(),
        waitForWorker: await registration.isWorkLeft(),
        isOlder: registration.isOlder(),
      };
    },
    embeddings: () => embeddingStatus.read(),
    reranker: () => (reranker === null ? null : embeddingStatus.statusOf(reranker)),
    reader: () => (reader === null ? null : embeddingStatus.statusOf(reader)),
    answerer: () => (answerer === null ? null : embeddingStatus.statusOf(answerer)),
    modelsDevice: () => monitoring.modelsDevice,
    languageModel: () => modelStatus?.read() ?? null,
    async metrics() {
      const texts = (await registries()).map((each) => each.metrics());
      return { contentType: registry.contentType, text: (await Promise.all(texts)).join("\n") };
    },
    async samples() {
      const samples = (await registries()).map((each) => each.getMetricsAsJSON());
      // The library's types name a metric's kind by a number; its JSON has the name.
      return (await Promise.all(samples)).flat() as unknown as readonly MetricSamples[];
    },
    observeRequest({ method, route, status, seconds }) {
      requests.labels(method, route, String(status)).observe(seconds);
    },
  };
}

function registerSegmentStore(registry: Registry, fault: SegmentStore["fault"]): void {
  new Gauge({
    name: "kcs_segment_store_up",
    help: "1: the segment store can be read; 0: it cannot, or is another one.",
    registers: [registry],
    async collect() {
      this.set((await fault()) === null ? 1 : 0);
    },
  });
}

/** Of what processes share. */
function registerShared(
  registry: Registry,
  { pools, segments, registration }: Pick<OperationsDeps, "pools" | "segments" | "registration">,
): void {
  if (pools !== null) registerPoolMetrics(registry, pools);
  if (segments != null) registerSegmentStore(registry, segments.fault);
  if (registration !== null) registerProcessMetrics(registry, registration);
}

function registerMonitoring(registry: Registry, monitoring: Monitoring): void {
  const { damagedSegments, toolCalls, writtenSentences, build, spans } = monitoring;
  for (const metric of [damagedSegments, toolCalls, writtenSentences, build])
    registry.registerMetric<string>(metric);
  monitoring.work.register(registry);
  monitoring.modelStatus?.register(registry);
  monitoring.embeddingStatus.register(registry);
  registerThreadMetrics(registry, monitoring.threads);
  registerMemory(registry, monitoring.memory);
  if (spans !== null) registerSpans(registry, spans);
  registerFailedCalls(registry, monitoring.storeStatus);
}

function registerFailedCalls(registry: Registry, { failedCalls }: StoreStatus): void {
  new Counter({
    name: "kcs_store_failed_calls_total",
    help: "Questions, requests and steps of work that the database or the segment store failed, by reason; segment_object: one object cannot be used.",
    labelNames: ["reason"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, calls] of failedCalls) this.labels(reason).inc(calls);
    },
  });
}

/** What the threads told within the last minute. The rest of the process's memory is that of models, SQLite and Node's own code. */
function registerMemory(registry: Registry, memory: Pick<MemoryReports, "read">): void {
  new Gauge({
    name: "kcs_heap_bytes",
    help: "V8's heaps, by thread: main, or the kind of the threads. Told every 20 seconds.",
    labelNames: ["thread"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { thread, heapBytes } of memory.read()) this.labels(thread).inc(heapBytes);
    },
  });
  new Gauge({
    name: "kcs_index_memory_bytes",
    help: "Segments of the search index in memory, at most KCS_CACHE_BYTES. Told every 20 seconds.",
    registers: [registry],
    collect() {
      this.set(Math.max(0, ...memory.read().map(({ indexBytes }) => indexBytes)));
    },
  });
}

function registerSpans(registry: Registry, spans: { readonly sent: number; readonly dropped: number }): void {
  new Counter({
    name: "kcs_spans_total",
    help: "Spans of traces: sent to the collector, or dropped because it did not take them.",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const outcome of ["sent", "dropped"] as const) this.labels(outcome).inc(spans[outcome]);
    },
  });
}

/** Read from the board with each scrape. */
function registerThreadMetrics(registry: Registry, threads: Pick<ThreadBoard, "read">): void {
  const gauge = (name: string, help: string, column: "alive" | "pending" | "stuck") =>
    new Gauge({
      name,
      help,
      labelNames: ["kind"],
      registers: [registry],
      collect() {
        for (const kind of THREAD_NAMES) this.labels(kind).set(threads.read(kind, column));
      },
    });
  gauge("kcs_threads", "Running threads besides the main one, by kind.", "alive");
  gauge("kcs_thread_requests_pending", "Requests that wait for an answer of a thread, by kind.", "pending");
  gauge("kcs_threads_stuck", "Threads that hang and cannot be ended, by kind.", "stuck");
  new Counter({
    name: "kcs_threads_replaced_total",
    help: "Threads that were replaced, by kind and reason: hung or died.",
    labelNames: ["kind", "reason"],
    registers: [registry],
    collect() {
      this.reset();
      for (const kind of THREAD_NAMES)
        for (const reason of ["hung", "died"] as const)
          this.labels(kind, reason).inc(threads.read(kind, reason));
    },
  });
}
