import type { FastifyInstance } from "fastify";
import type { RereadingService } from "../../services/rereading.ts";
import { presentReread } from "../present/reread.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addRereadingRoutes(app: FastifyInstance, rereading: RereadingService): void {
  addEndpoint(app, "rereadProject", {
    async handler(request) {
      const projectId = pathParameter(request, "project_id");
      return presentReread(await rereading.start(requireCaller(request), projectId));
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
