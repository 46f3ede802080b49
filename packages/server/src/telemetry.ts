/** Traces and metrics for a collector, if one is configured: what of the service is recorded, under OpenTelemetry's names. */
import { createOtlpExporter } from "./adapters/telemetry/otlp-exporter.ts";
import type { MetricSamples } from "./adapters/telemetry/otlp-metrics.ts";
import type { TelemetrySettings } from "./config-telemetry.ts";
import type { Monitoring } from "./metrics.ts";
import type { EmbeddingActivity } from "./ports/embedding-activity.ts";
import type { Log } from "./ports/log.ts";
import type { ModelActivity } from "./ports/model-activity.ts";
import type { Store } from "./ports/store.ts";
import type { Span, SpanAttributes, TraceContext, Tracer } from "./ports/tracing.ts";
import type { EndedJob, WorkActivity } from "./ports/work-activity.ts";
import { createTracer } from "./tracing.ts";

export interface Telemetry {
  readonly tracer: Tracer;
  /** A store whose calls are recorded. */
  traced(store: Store, database: string): Store;
  /** Boards that record what they are told here, too. */
  alsoFrom(monitoring: Monitoring): Monitoring;
  /** Sends the metrics every minute from now on. */
  sendMetrics(read: () => Promise<readonly MetricSamples[]>): void;
  /** Sends what waits. */
  close(): Promise<void>;
}

const METRICS_MS = 60_000;
const MS = 1000;
const SCOPE = "knowledge-context-service";

export function createTelemetry(
  settings: TelemetrySettings,
  deps: { readonly log: Log; readonly version: string; readonly role: string; readonly instance: string },
): Telemetry {
  const { serviceName, ratio } = settings;
  const { log, version, role, instance } = deps;
  const exporter = createOtlpExporter(settings, {
    resource: {
      "service.name": serviceName,
      "service.version": version,
      "service.instance.id": instance,
      "process.runtime.name": "nodejs",
      "process.runtime.version": process.versions.node,
      "kcs.role": role,
    },
    scope: { name: SCOPE, version },
    startedAt: Date.now(),
    log,
  });
  const tracer = createTracer({ record: exporter.record, ratio });
  let timer: NodeJS.Timeout | undefined;
  return {
    tracer,
    alsoFrom: (monitoring) => ({
      ...monitoring,
      ...recordingBoards(monitoring, (activity) => record(tracer, activity)),
      spans: exporter.counts,
    }),
    traced: (store, database) => tracedStore(store, { tracer, database }),
    sendMetrics(read) {
      const send = async () => exporter.sendMetrics(await read(), Date.now());
      timer = setInterval(
        () => void send().catch((error) => log.warn("metrics_not_sent", { error })),
        METRICS_MS,
      );
      timer.unref();
    },
    async close() {
      clearInterval(timer);
      await exporter.close();
    },
  };
}

type Activity = WorkActivity | ModelActivity | EmbeddingActivity;

function recordingBoards(
  { work, modelStatus, embeddingStatus }: Pick<Monitoring, "work" | "modelStatus" | "embeddingStatus">,
  tell: (activity: Activity) => void,
): Pick<Monitoring, "work" | "modelStatus" | "embeddingStatus"> {
  const both =
    <Reported extends Activity>(record: (activity: Reported) => void) =>
    (activity: Reported) => {
      record(activity);
      tell(activity);
    };
  return {
    work: { ...work, record: both(work.record) },
    embeddingStatus: { ...embeddingStatus, record: both(embeddingStatus.record) },
    modelStatus: modelStatus && {
      ...modelStatus,
      record: (thread, activity) => both<ModelActivity>((one) => modelStatus.record(thread, one))(activity),
    },
  };
}

function record(tracer: Tracer, activity: Activity): void {
  if (!("measured" in activity)) recordModel(tracer, activity);
  else if (activity.measured === "question") recordSearch(tracer, activity);
  else if (activity.measured === "job") recordJob(tracer, activity);
  else recordBatch(tracer, activity);
}

/** Below the request, or below the job that the call is for. */
function recordModel(tracer: Tracer, activity: ModelActivity | EmbeddingActivity): void {
  const isEmbedding = "kind" in activity;
  const { at, seconds, outcome } = activity;
  const jobId = isEmbedding ? null : activity.jobId;
  const parent = jobId === null ? tracer.current() : tracer.traceOfJob(jobId);
  if (parent === null || outcome === "cached" || outcome === "kept_out") return;
  const operation = isEmbedding ? (activity.kind === "embedding" ? "embeddings" : "rerank") : "chat";
  tracer.record(parent, {
    name: `${operation} ${nameOf(activity.model)}`,
    kind: "client",
    startedAt: at - seconds * MS,
    endedAt: at,
    attributes: {
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": activity.model.slice(0, activity.model.indexOf("/")),
      "gen_ai.request.model": nameOf(activity.model),
      "gen_ai.usage.input_tokens": isEmbedding ? activity.tokens : activity.inputTokens,
      ...(isEmbedding ? {} : { "gen_ai.usage.output_tokens": activity.outputTokens }),
    },
    error: outcome === "answered" ? null : outcome,
  });
}

/** Of a model's name with the provider in front of it. */
const nameOf = (model: string) => model.slice(model.indexOf("/") + 1);

function recordSearch(tracer: Tracer, activity: Extract<WorkActivity, { measured: "question" }>): void {
  const { trace, stagesMs, segments, endedAt } = activity;
  if (trace === null) return;
  const stages = Object.entries(stagesMs).map(([stage, ms]) => [`kcs.stage.${stage}_ms`, ms] as const);
  tracer.record(trace, {
    name: "search",
    kind: "internal",
    startedAt: endedAt - (stagesMs["total"] ?? 0),
    endedAt,
    attributes: {
      ...Object.fromEntries(stages),
      "kcs.segments.cached": segments.cached,
      "kcs.segments.read": segments.read,
    },
    error: null,
  });
}

/** A try that is repeated later is one span of the trace, the end of the job its first. */
function recordJob(tracer: Tracer, { jobId, result, startedAt, endedAt }: EndedJob): void {
  const attributes: SpanAttributes = { "kcs.job.id": jobId, "kcs.job.result": result };
  const ended = { startedAt, endedAt, attributes, error: result === "completed" ? null : result };
  const trace = tracer.traceOfJob(jobId);
  if (trace === null) return;
  if (result === "postponed") tracer.record(trace, { ...ended, name: "try", kind: "internal" });
  else tracer.recordJob(jobId, { ...ended, name: "job" });
}

function recordBatch(tracer: Tracer, batch: Extract<WorkActivity, { measured: "batch" }>): void {
  const attributes = { "kcs.batch.chunks": batch.chunks, "kcs.batch.jobs": batch.jobIds.length };
  const spanOf = (name: string, { startedAt, endedAt }: Pick<Span, "startedAt" | "endedAt">) =>
    ({ name, kind: "internal", startedAt, endedAt, attributes, error: null }) as const;
  for (const trace of batch.jobIds.map((jobId): TraceContext | null => tracer.traceOfJob(jobId))) {
    if (trace === null) continue;
    tracer.record(trace, spanOf("embed and read", batch.prepared));
    tracer.record(trace, spanOf("commit", batch.committed));
  }
}

function tracedStore(store: Store, { tracer, database }: { tracer: Tracer; database: string }): Store {
  const methods = Object.entries(store).map(([name, method]) => {
    if (name === "now" || name === "close") return [name, method];
    const attributes = { "db.system.name": database, "db.operation.name": name };
    const run = method as (input: unknown) => Promise<unknown>; // Of each method that is an operation.
    return [name, (input: unknown) => tracer.measure({ name, kind: "client", attributes }, () => run(input))];
  });
  return Object.fromEntries(methods) as unknown as Store; // The same methods.
}
