import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { ProjectChangeService } from "../../services/project-changes.ts";
import type { ProjectService, ProjectWithOntology } from "../../services/projects.ts";
import { check, checkLater, jsonBody, requireOutsideBody } from "../body.ts";
import { presentChangedProject } from "../present/changed-project.ts";
import { createOntologyParts } from "../present/ontology-parts.ts";
import { presentCreatedProject, presentListedProject, presentProject } from "../present.ts";
import { addCreatingEndpoint } from "./creating-endpoint.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";
import { pageOf } from "./page.ts";

export function addProjectRoutes(
  app: FastifyInstance,
  {
    projects,
    projectChanges,
  }: { readonly projects: ProjectService; readonly projectChanges: ProjectChangeService },
): void {
  const readParts = createOntologyParts();
  addCreatingEndpoint<ProjectWithOntology>(app, "createProject", {
    create(request, _reply, once) {
      const body = check(bodies.createProjectBody, jsonBody(request).value);
      const input = { name: body.name, vectorOnly: body.vector_only, ontologyId: body.ontology_id };
      return projects.create(requireCaller(request), input, once);
    },
    present: (created) => presentCreatedProject(created, readParts),
  });

  addEndpoint(app, "listProjects", {
    async handler(request) {
      const listed = projects.list(requireCaller(request), pageOf(request.query));
      const presented = await Array.fromAsync(listed, (step) =>
        step.map(({ project, ontologyName }) => presentListedProject(project, ontologyName)),
      );
      return { projects: presented.flat() };
    },
  });

  addEndpoint(app, "getProject", {
    async handler(request) {
      const found = await projects.get(requireCaller(request), pathParameter(request, "project_id"));
      return presentProject(found, readParts);
    },
  });

  addEndpoint(app, "renameProject", {
    async handler(request) {
      const renamed = await projects.rename(
        requireCaller(request),
        pathParameter(request, "project_id"),
        () => check(bodies.renameProjectBody, jsonBody(request).value).name,
      );
      return presentProject(renamed, readParts);
    },
  });

  addEndpoint(app, "changeProject", {
    async handler(request) {
      const projectId = pathParameter(request, "project_id");
      const parameters = checkLater(bodies.changeProjectParameters, request.query);
      const { value } = jsonBody(request);
      const changed = await projectChanges.change(requireCaller(request), projectId, () => {
        // What was only meant to be tried would be made.
        requireOutsideBody(value, "dry_run");
        const { name, ontology_id, ontology_version } = check(bodies.changeProjectBody, value);
        const isDryRun = parameters().dry_run === "true";
        return { name, ontologyId: ontology_id, ontologyVersion: ontology_version, isDryRun };
      });
      return presentChangedProject(changed, readParts);
    },
  });

  addEndpoint(app, "deleteProject", {
    handler: (request) => projects.delete(requireCaller(request), pathParameter(request, "project_id")),
  });
}
