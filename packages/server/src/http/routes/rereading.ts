import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { RereadingService } from "../../services/rereading.ts";
import { checkLater, jsonBody } from "../body.ts";
import { presentReread } from "../present/reread.ts";
import { presentAcceptedBatch } from "../present.ts";
import { rateLimitWriter } from "../rate-limit.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addRereadingRoutes(app: FastifyInstance, rereading: RereadingService): void {
  addEndpoint(app, "rereadProject", {
    async handler(request) {
      const projectId = pathParameter(request, "project_id");
      return presentReread(await rereading.start(requireCaller(request), projectId));
    },
  });

  addEndpoint(app, "rereadDocuments", {
    async handler(request, reply) {
      const body = checkLater(bodies.rereadDocumentsBody, jsonBody(request).value);
      const jobs = await rereading.startSome(
        requireCaller(request),
        pathParameter(request, "project_id"),
        () => body().source_doc_ids,
        rateLimitWriter(reply),
      );
      return presentAcceptedBatch(jobs);
    },
  });

  addEndpoint(app, "getReread", {
    async handler(request) {
      const projectId = pathParameter(request, "project_id");
      return presentReread(await rereading.get(requireCaller(request), projectId));
    },
  });

  addEndpoint(app, "cancelReread", {
    async handler(request) {
      const projectId = pathParameter(request, "project_id");
      return presentReread(await rereading.cancel(requireCaller(request), projectId));
    },
  });
}
