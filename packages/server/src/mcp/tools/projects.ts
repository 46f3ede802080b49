import { responses } from "@kcs/contract";
import type { ProjectService } from "../../services/projects.ts";
import { argumentsOf, limitField, nextOffsetField, offsetField } from "../fields.ts";
import type { Presenters } from "../presenters.ts";
import { inline, paragraphs } from "../text.ts";
import { type AddTool, defineTool, READS } from "../tool.ts";

export function createListProjectsTool(deps: {
  readonly projects: ProjectService;
  readonly present: Pick<Presenters, "listedProject">;
}): AddTool {
  return defineTool({
    name: "list_projects",
    title: "List projects",
    description:
      "Lists the projects that this API key can access, newest first. Each project is a separate collection of documents, and every other tool needs a project id, so call this tool first. Projects with mode kg_vector also have a graph of entities and relationships; projects with mode vector_only do not.",
    annotations: READS,
    input: argumentsOf({ limit: limitField({ max: 200, fallback: 50 }), offset: offsetField }),
    output: responses.projectList.extend({ next_offset: nextOffsetField }),
    async run({ limit, offset }, { caller }) {
      const steps = await Array.fromAsync(deps.projects.list(caller, { limit: limit + 1, offset }));
      const listed = steps.flat();
      const projects = listed
        .slice(0, limit)
        .map(({ project, ontologyName }) => deps.present.listedProject(project, ontologyName));
      const next = listed.length > limit ? offset + limit : null;
      const lines = projects.map(
        ({ project_id, name, mode, ontology }) =>
          `${project_id}: ${inline(name)} (${mode}${ontology === null ? "" : `, ontology ${inline(ontology.name)}`})`,
      );
      const text = paragraphs(
        lines.length === 0
          ? "No projects. Create one with the HTTP API (POST /api/v1/projects), the command line or the dashboard."
          : lines.join("\n"),
        next === null ? null : `For more, call again with offset ${next}.`,
      );
      return { structured: { projects, next_offset: next }, text };
    },
  });
}
