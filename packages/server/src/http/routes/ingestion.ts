import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { IngestedText, IngestionService } from "../../services/ingestion.ts";
import { check, checkLater, jsonBody } from "../body.ts";
import { presentAcceptedBatch, presentAcceptedJob, presentJob, presentJobs } from "../present.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

/** JSON may spell one byte of text in six (a control character as \u0000); the rest is for the id and metadata, of 12 bytes a character at most. */
const ESCAPED_BYTES_PER_BYTE = 6;
const ENVELOPE_BYTES = 256 * 1024;

type IngestBody = ReturnType<typeof bodies.ingestBody>;

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

function documentOf({ text, source_doc_id, metadata }: z.output<IngestBody>): IngestedText {
  return { text, sourceDocId: source_doc_id, metadata };
}
