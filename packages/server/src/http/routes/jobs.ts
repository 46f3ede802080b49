/** Watching, cancelling and retrying jobs. Reading them is in `ingestion.ts`. */
import type { EndpointName } from "@kcs/contract";
import { stringifyJson } from "@kcs/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AcceptedJob } from "../../domain/job.ts";
import type { IngestionService } from "../../services/ingestion.ts";
import type { ProgressReader, ProgressService, Watch } from "../../services/progress.ts";
import type { IsStillAllowed } from "../authenticate.ts";
import { createEventStream, STREAM_HEADERS } from "../event-stream.ts";
import { presentAcceptedJob, presentJob } from "../present.ts";
import { presentProgress } from "../present-events.ts";
import { rateLimitWriter } from "../rate-limit.ts";
import { addCreatingEndpoint } from "./creating-endpoint.ts";
import { addEndpoint, pathParameter, requireCaller, routePath } from "./endpoint.ts";

export function addJobRoutes(
  app: FastifyInstance,
  deps: {
    readonly ingestion: IngestionService;
    readonly progress: ProgressService;
    readonly isStillAllowed: IsStillAllowed;
  },
): void {
  const { ingestion, progress, isStillAllowed } = deps;
  // Runs before the server waits for open connections, which event streams would keep open.
  app.addHook("preClose", async () => progress.close());

  addStream(app, "watchJob", {
    isStillAllowed,
    open: (request) => progress.watchJob(requireCaller(request), targetOf(request), lastEventId(request)),
  });
  addStream(app, "watchProject", {
    isStillAllowed,
    open: (request) =>
      progress.watchProject(
        requireCaller(request),
        pathParameter(request, "project_id"),
        lastEventId(request),
      ),
  });

  addEndpoint(app, "cancelJob", {
    handler: async (request) => presentJob(await ingestion.cancel(requireCaller(request), targetOf(request))),
  });

  addCreatingEndpoint<AcceptedJob>(app, "retryJob", {
    create: (request, reply, once) =>
      ingestion.retry(requireCaller(request), targetOf(request), { once, onRate: rateLimitWriter(reply) }),
    present: presentAcceptedJob,
  });
}

function targetOf(request: FastifyRequest) {
  return { projectId: pathParameter(request, "project_id"), jobId: pathParameter(request, "job_id") };
}

function lastEventId(request: FastifyRequest): string | null {
  const given = request.headers["last-event-id"];
  return typeof given === "string" ? given : null;
}

/**
 * Responds with an event stream; with 204 when no events are left, which stops a browser from reconnecting.
 */
function addStream(
  app: FastifyInstance,
  name: EndpointName,
  deps: {
    readonly isStillAllowed: IsStillAllowed;
    readonly open: (request: FastifyRequest) => Promise<Watch | null>;
  },
): void {
  app.get(routePath(name), async (request, reply) => {
    const watch = await deps.open(request);
    if (watch === null) return reply.code(204).send();
    if (request.method === "HEAD") return reply.headers(STREAM_HEADERS).send();
    return stream(watch, reply, () => deps.isStillAllowed(request));
  });
}

function stream(watch: Watch, reply: FastifyReply, isAllowed: () => Promise<boolean>): FastifyReply {
  let stop: () => void = () => undefined;
  const events = createEventStream(() => stop(), isAllowed);
  const reader: ProgressReader = {
    isReady: events.isReady,
    begin: (id) => events.send({ id, name: "begin", data: "{}" }),
    send: (event) =>
      events.send({ id: event.id, name: event.kind, data: stringifyJson(presentProgress(event)) }),
    end: events.end,
  };
  try {
    stop = watch(reader);
  } catch (error) {
    events.end();
    throw error;
  }
  return reply.headers(STREAM_HEADERS).send(events.body);
}
