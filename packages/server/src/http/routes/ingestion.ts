import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { IngestedText, IngestionService } from "../../services/ingestion.ts";
import { check, checkLater, jsonBody } from "../body.ts";
import { presentAcceptedBatch, presentAcceptedJob, presentJob, presentJobs } from "../present.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

/** JSON may spell one byte of text in six (a control character as \u0000); the rest is for ids and braces. */
const ESCAPED_BYTES_PER_BYTE = 6;
const ENVELOPE_BYTES = 64 * 1024;

export function addIngestionRoutes(
  app: FastifyInstance,
  deps: { readonly ingestion: IngestionService; readonly maxTextBytes: number },
): void {
  const { ingestion, maxTextBytes } = deps;
  const ingestBody = bodies.ingestBody(maxTextBytes);
  const ingestBatchBody = bodies.ingestBatchBody(maxTextBytes);

  addEndpoint(app, "ingest", {
    bodyLimit: maxTextBytes * ESCAPED_BYTES_PER_BYTE + ENVELOPE_BYTES,
    async handler(request) {
      const jobs = await ingestion.accept(
        requireCaller(request),
        pathParameter(request, "project_id"),
        () => [documentOf(check(ingestBody, jsonBody(request).value))],
      );
      return jobs.map(presentAcceptedJob)[0];
    },
  });

  addEndpoint(app, "ingestBatch", {
    bodyLimit: bodies.LIMITS.batchBytes,
    async handler(request) {
      const jobs = await ingestion.accept(requireCaller(request), pathParameter(request, "project_id"), () =>
        check(ingestBatchBody, jsonBody(request).value).documents.map(documentOf),
      );
      return presentAcceptedBatch(jobs);
    },
  });

  addEndpoint(app, "listJobs", {
    async handler(request) {
      const parameters = checkLater(bodies.jobPageParameters, request.query);
      const page = () => {
        const { limit, offset } = parameters();
        return { limit: limit ?? bodies.LIMITS.jobPage.fallback, offset: offset ?? 0 };
      };
      const jobs = await ingestion.listJobs(
        requireCaller(request),
        pathParameter(request, "project_id"),
        page,
      );
      return presentJobs(jobs, page());
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

function documentOf(body: { text: string; source_doc_id: string }): IngestedText {
  return { text: body.text, sourceDocId: body.source_doc_id };
}
