import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { withoutPaths } from "../../domain/without-paths.ts";
import type { StoreUnavailableError } from "../../ports/store.ts";
import { isLoopbackHost } from "../host-and-origin.ts";

/** State of a model as of its last regular call; a status request never calls the model. */
export interface ModelStatus {
  /** Provider and model, "ollama/qwen3:8b". */
  readonly model: string;
  /** "open": the circuit breaker blocks calls for a while after repeated failures. */
  readonly state: "unused" | "ok" | "failing" | "open";
  /** Has no confidential parts: anybody can read it. */
  readonly lastError: string | null;
  readonly lastCallAt: number | null;
}

export interface Operations {
  /** Why the service cannot answer questions; empty when it is ready. */
  faults(): Promise<readonly string[]>;
  /** Why this process must not use its database any more; null while it may. */
  databaseFault(): string | null;
  /** null when none is configured. A failing model is not a fault, because the service works without it. */
  languageModel(): ModelStatus | null;
  /** Embedding models that are not bundled; these are not faults either. */
  embeddings(): readonly ModelStatus[];
  /** null when none is configured. */
  reranker(): ModelStatus | null;
  /** Of the local model that reads entities and relations. */
  reader(): ModelStatus | null;
  /** The same for a model that answers questions. */
  answerer(): ModelStatus | null;
  /** Of those that share the database; null where it has one. */
  processes(): Promise<{
    readonly running: number;
    readonly differIn: readonly string[];
    /** Jobs wait, and no process works on jobs. No fault: questions are answered. */
    readonly waitForWorker: boolean;
    /** A newer version has changed the database, which this one can still use. */
    readonly isOlder: boolean;
  } | null>;
  /** What computes the local models; null when none is configured. */
  modelsDevice(): string | null;
  /** The Prometheus text format. */
  metrics(): Promise<{ contentType: string; text: string }>;
  /**
   * Called when a request fails for the database. A full disk stays a fault for a while, because reading still works, and a
   * damaged database until the next start, because what is not damaged still works.
   */
  storeFailed(error: StoreUnavailableError): void;
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void;
}

/** Liveness, readiness and metrics. They need no API key, so they must not name accounts or projects. */
export function addOperationsRoutes(
  app: FastifyInstance,
  operations: Operations,
  options: { readonly metricsToken: string | null },
): void {
  app.get("/health", () => ({ status: "ok" }));

  app.get("/ready", async (_request, reply) => {
    const faults = await operations.faults();
    if (faults.length > 0) return reply.code(503).send({ detail: withoutPaths(sentencesOf(faults)) });
    const model = operations.languageModel();
    const embeddings = operations.embeddings();
    const reranker = operations.reranker();
    const reader = operations.reader();
    const answerer = operations.answerer();
    const device = operations.modelsDevice();
    const processes = await operations.processes();
    return {
      status: "ready",
      ...(model === null ? {} : { language_model: presentModel(model) }),
      ...(embeddings.length === 0 ? {} : { embedding_models: embeddings.map(presentModel) }),
      ...(reranker === null ? {} : { reranker: presentModel(reranker) }),
      ...(reader === null ? {} : { extraction_model: presentModel(reader) }),
      ...(answerer === null ? {} : { answerer: presentModel(answerer) }),
      ...(device === null ? {} : { models_device: device }),
      ...(processes === null
        ? {}
        : {
            processes: {
              running: processes.running,
              differ_in: processes.differIn,
              ...(processes.waitForWorker ? { jobs_wait_for_worker: true } : {}),
              ...(processes.isOlder ? { database_is_newer: true } : {}),
            },
          }),
    };
  });

  app.get("/metrics", async (request, reply) => {
    if (!isDirectAndLocal(request) && !hasToken(request, options.metricsToken)) {
      if (options.metricsToken === null) return reply.code(403).send({ detail: LOCAL_ONLY });
      return reply.code(401).header("www-authenticate", "Bearer").send({ detail: "Invalid metrics token" });
    }
    const { contentType, text } = await operations.metrics();
    return reply.header("content-type", contentType).send(text);
  });
}

/** Some faults end with a full stop, others come from libraries and have none. */
function sentencesOf(faults: readonly string[]): string {
  return faults.map((fault) => (/[.!?]\s{0,9}$/.test(fault) ? fault.trimEnd() : `${fault}.`)).join(" ");
}

const LOCAL_ONLY =
  "Metrics are served to this machine only. To read them from elsewhere, set KCS_METRICS_TOKEN and send it as a Bearer token.";

/** Headers that Prometheus, browsers and command-line clients send by themselves. Every proxy has others of its own to add. */
const OWN_HEADER =
  /^(host|connection|user-agent|accept|accept-(charset|encoding|language)|authorization|baggage|cache-control|content-length|content-type|cookie|dnt|if-(modified-since|none-match)|origin|pragma|priority|referer|sec-.{1,60}|te|traceparent|tracestate|upgrade-insecure-requests|x-prometheus-.{1,60})$/;

/**
 * Whether a local process sent the request directly. A request through a local proxy may come from elsewhere. Not every
 * proxy adds a header, but most pass on the `Host` of the client; old ones speak HTTP/1.0. Only clients of a
 * proxy write the whole address into the request line.
 */
function isDirectAndLocal({ socket, headers, raw }: FastifyRequest): boolean {
  return (
    isLoopback(socket.remoteAddress) &&
    isLoopbackHost(headers.host) &&
    raw.httpVersion === "1.1" &&
    raw.url?.startsWith("/") === true &&
    Object.keys(headers).every((name) => OWN_HEADER.test(name))
  );
}

/** Compares hashes, so that the time does not depend on the number of equal characters. */
function hasToken(request: FastifyRequest, token: string | null): boolean {
  const given = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === null || given === undefined) return false;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

function presentModel({ model, state, lastError, lastCallAt }: ModelStatus) {
  return {
    model,
    state,
    ...(lastError === null ? {} : { last_error: withoutPaths(lastError) }),
    ...(lastCallAt === null ? {} : { last_call_at: new Date(lastCallAt).toISOString() }),
  };
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);
}
