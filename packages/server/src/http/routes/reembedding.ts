import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { ReembeddingService } from "../../services/reembedding.ts";
import { checkLater, jsonBody } from "../body.ts";
import { presentReembedding } from "../present/reembedding.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addReembeddingRoutes(app: FastifyInstance, reembedding: ReembeddingService): void {
  addEndpoint(app, "reembedProject", {
    async handler(request) {
      const { value = {} } = jsonBody(request);
      const body = checkLater(bodies.reembedBody, value);
      const model = () => body().embedding ?? null;
      const projectId = pathParameter(request, "project_id");
      return presentReembedding(await reembedding.start(requireCaller(request), projectId, model));
    },
  });

  addEndpoint(app, "getReembedding", {
    async handler(request) {
      const projectId = pathParameter(request, "project_id");
      return presentReembedding(await reembedding.get(requireCaller(request), projectId));
    },
  });

  addEndpoint(app, "cancelReembedding", {
    async handler(request) {
      const projectId = pathParameter(request, "project_id");
      return presentReembedding(await reembedding.cancel(requireCaller(request), projectId));
    },
  });
}
