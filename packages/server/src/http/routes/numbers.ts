import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { ProjectNumbersService } from "../../services/project-numbers.ts";
import type { UsageService } from "../../services/usage.ts";
import { check } from "../body.ts";
import { presentConfiguration, presentStats, presentUsage } from "../present/numbers.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addNumberRoutes(
  app: FastifyInstance,
  { numbers, usage }: { readonly numbers: ProjectNumbersService; readonly usage: UsageService },
): void {
  addEndpoint(app, "getProjectStats", {
    async handler(request) {
      const projectId = pathParameter(request, "project_id");
      return presentStats(await numbers.getStats(requireCaller(request), projectId));
    },
  });

  addEndpoint(app, "getProjectConfig", {
    async handler(request) {
      const projectId = pathParameter(request, "project_id");
      return presentConfiguration(await numbers.getConfiguration(requireCaller(request), projectId));
    },
  });

  addEndpoint(app, "getUsage", {
    async handler(request) {
      const caller = requireCaller(request);
      return presentUsage(await usage.get(caller, check(bodies.usageParameters, request.query)));
    },
  });
}
