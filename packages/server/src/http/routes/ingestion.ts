import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { AcceptedJob } from "../../domain/job.ts";
import type { IngestionService } from "../../services/ingestion.ts";
import { checkLater } from "../body.ts";
import { addLargeBodyScope, type ReadLargeBody } from "../large-body.ts";
import { presentAcceptedBatch, presentAcceptedJob, presentJob, presentJobs } from "../present.ts";
import { rateLimitWriter } from "../rate-limit.ts";
import { addCreatingEndpoint } from "./creating-endpoint.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

/**
 * JSON may take six bytes for one byte of text (a control character as \u0000). The envelope is for id and
 * metadata, which take at most 12 bytes per character.
 */
const ESCAPED_BYTES_PER_BYTE = 6;
const ENVELOPE_BYTES = 256 * 1024;

interface IngestionRouteDeps {
  readonly ingestion: IngestionService;
  readonly maxTextBytes: number;
  readonly readLargeBody: ReadLargeBody;
}

export function addIngestionRoutes(app: FastifyInstance, deps: IngestionRouteDeps): void {
  const { ingestion, maxTextBytes } = deps;
  addIngestEndpoint(app, deps, {
    name: "ingest",
    form: "document",
    bodyLimit: maxTextBytes * ESCAPED_BYTES_PER_BYTE + ENVELOPE_BYTES,
    present: (jobs) => jobs.map(presentAcceptedJob)[0],
  });
  addIngestEndpoint(app, deps, {
    name: "ingestBatch",
    form: "batch",
    bodyLimit: bodies.LIMITS.batchBytes,
    present: presentAcceptedBatch,
  });

  addEndpoint(app, "listJobs", {
    async handler(request) {
      const parameters = checkLater(bodies.jobListParameters, request.query);
      const which = () => {
        const { status, limit, offset } = parameters();
        return { status, page: { limit: limit ?? bodies.LIMITS.jobPage.fallback, offset: offset ?? 0 } };
      };
      const jobs = await ingestion.listJobs(
        requireCaller(request),
        pathParameter(request, "project_id"),
        which,
      );
      return presentJobs(jobs, which().page);
    },
  });

  addEndpoint(app, "getJob", {
    async handler(request) {
      const jobId = pathParameter(request, "job_id");
      return presentJob(
        await ingestion.getJob(requireCaller(request), pathParameter(request, "project_id"), jobId),
      );
    },
  });
}

function addIngestEndpoint(
  app: FastifyInstance,
  deps: IngestionRouteDeps,
  endpoint: {
    readonly name: "ingest" | "ingestBatch";
    readonly form: "document" | "batch";
    readonly bodyLimit: number;
    readonly present: (jobs: readonly AcceptedJob[]) => unknown;
  },
): void {
  const { name, form, bodyLimit, present } = endpoint;
  addLargeBodyScope(app, { ...deps, form }, (scope, contentOf) =>
    addCreatingEndpoint<readonly AcceptedJob[]>(scope, name, {
      bodyLimit,
      async create(request, reply, once) {
        const projectId = pathParameter(request, "project_id");
        const options = { once, onRate: rateLimitWriter(reply) };
        return deps.ingestion.accept(requireCaller(request), projectId, () => contentOf(request), options);
      },
      present,
    }),
  );
}
