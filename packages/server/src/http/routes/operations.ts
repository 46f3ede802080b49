import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** What the last real call of a model has shown; nothing here makes one. */
export interface ModelStatus {
  /** Provider and model, "ollama/qwen3:8b". */
  readonly model: string;
  /** "open": calls are kept from it for a while, because it has failed again and again. */
  readonly state: "unused" | "ok" | "failing" | "open";
  /** Fit to be shown to anybody. */
  readonly lastError: string | null;
  readonly lastCallAt: number | null;
}

export interface Operations {
  /** What keeps the service from answering; empty when it is ready. */
  faults(): Promise<readonly string[]>;
  /** null when none is configured. Not among the faults: without it the service still does its work. */
  languageModel(): ModelStatus | null;
  /** Of embedding models at providers; likewise. */
  embeddings(): readonly ModelStatus[];
  /** The Prometheus text format. */
  metrics(): Promise<{ contentType: string; text: string }>;
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void;
}

/** Liveness, readiness and metrics; without credentials, so nothing here names an account or a project. */
export function addOperationsRoutes(
  app: FastifyInstance,
  operations: Operations,
  options: { readonly metricsToken: string | null },
): void {
  app.get("/health", () => ({ status: "ok" }));

  app.get("/ready", async (_request, reply) => {
    const faults = await operations.faults();
    if (faults.length > 0) return reply.code(503).send({ detail: faults.join("; ") });
    const model = operations.languageModel();
    const embeddings = operations.embeddings();
    return {
      status: "ready",
      ...(model === null ? {} : { language_model: presentModel(model) }),
      ...(embeddings.length === 0 ? {} : { embedding_models: embeddings.map(presentModel) }),
    };
  });

  app.get("/metrics", async (request, reply) => {
    if (!isFromHere(request) && !hasToken(request, options.metricsToken)) {
      if (options.metricsToken === null) return reply.code(403).send({ detail: LOCAL_ONLY });
      return reply.code(401).header("www-authenticate", "Bearer").send({ detail: "Invalid metrics token" });
    }
    const { contentType, text } = await operations.metrics();
    return reply.header("content-type", contentType).send(text);
  });
}

const LOCAL_ONLY =
  "Metrics are answered to this machine only. With KCS_METRICS_TOKEN they are answered to whoever sends that token.";

/** Not through a proxy on this machine, whoever stands behind it. */
function isFromHere(request: FastifyRequest): boolean {
  return isLoopback(request.socket.remoteAddress) && request.headers["x-forwarded-for"] === undefined;
}

/** Compared by hash, which takes as long whatever is alike. */
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
    ...(lastError === null ? {} : { last_error: lastError }),
    ...(lastCallAt === null ? {} : { last_call_at: new Date(lastCallAt).toISOString() }),
  };
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);
}
