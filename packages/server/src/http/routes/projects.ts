import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { ProjectService } from "../../services/projects.ts";
import { check, jsonBody } from "../body.ts";
import { presentCreatedProject, presentListedProject, presentProject } from "../present.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";
import { pageOf } from "./page.ts";

export function addProjectRoutes(app: FastifyInstance, projects: ProjectService): void {
  addEndpoint(app, "createProject", {
    async handler(request) {
      const body = check(bodies.createProjectBody, jsonBody(request).value);
      const created = await projects.create(requireCaller(request), {
        name: body.name,
        vectorOnly: body.vector_only,
        ontologyId: body.ontology_id,
      });
      return presentCreatedProject(created);
    },
  });

  addEndpoint(app, "listProjects", {
    async handler(request) {
      const listed = await projects.list(requireCaller(request), pageOf(request.query));
      return {
        projects: listed.map(({ project, ontologyName }) => presentListedProject(project, ontologyName)),
      };
    },
  });

  addEndpoint(app, "getProject", {
    async handler(request) {
      return presentProject(await projects.get(requireCaller(request), pathParameter(request, "project_id")));
    },
  });

  addEndpoint(app, "deleteProject", {
    handler: (request) => projects.delete(requireCaller(request), pathParameter(request, "project_id")),
  });
}
