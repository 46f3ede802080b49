import type { FastifyInstance } from "fastify";

export interface Operations {
  /** What keeps the service from answering; empty when it is ready. */
  faults(): Promise<readonly string[]>;
  /** The Prometheus text format. */
  metrics(): Promise<{ contentType: string; text: string }>;
  observeRequest(request: { method: string; route: string; status: number; seconds: number }): void;
}

/** Liveness, readiness and metrics; without credentials, so nothing here names an account or a project. */
export function addOperationsRoutes(app: FastifyInstance, operations: Operations): void {
  app.get("/health", () => ({ status: "ok" }));

  app.get("/ready", async (_request, reply) => {
    const faults = await operations.faults();
    return faults.length === 0 ? { status: "ready" } : reply.code(503).send({ detail: faults.join("; ") });
  });

  app.get("/metrics", async (request, reply) => {
    if (!isLoopback(request.socket.remoteAddress) || request.headers["x-forwarded-for"] !== undefined) {
      return reply.code(403).send({ detail: "Metrics are answered to this machine only." });
    }
    const { contentType, text } = await operations.metrics();
    return reply.header("content-type", contentType).send(text);
  });
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);
}
