import * as bodies from "../../bodies.ts";
import { IDEMPOTENCY_KEY, type OperationDetails } from "../operation-details.ts";

export const EXAMPLE_PROJECT_ID = "prj_3f0c1d9a52b84e0f9a7c6d21e8b40573";

export const exampleConfig = {
  embedding_model: "all-MiniLM-L6-v2",
  embedding_dimensions: 384,
  chunk_tokens: 220,
  chunk_overlap_tokens: 0,
  extraction: "none",
};

export const exampleProject = {
  project_id: EXAMPLE_PROJECT_ID,
  name: "Harbour",
  mode: "vector_only",
  created_at: "2031-05-03T09:14:07.120Z",
  ontology: null,
};

export const projectDetails = {
  createProject: {
    tag: "Projects",
    description:
      "Unless `vector_only` is true, the project has a graph. With `ontology_id` the graph is limited to the types of that ontology; without it the types come from the data.",
    headers: [IDEMPOTENCY_KEY],
    body: {
      name: "CreateProject",
      schema: bodies.createProjectBody,
      example: { name: "Harbour", vector_only: true },
    },
    example: {
      ...exampleProject,
      config: exampleConfig,
    },
    errors: [
      {
        status: 400,
        detail: "Vector-only projects cannot specify an ontology",
        when: "`vector_only` is true and `ontology_id` is given.",
      },
      {
        status: 404,
        detail: "Ontology not found or not accessible",
        when: "`ontology_id` names no ontology of this account.",
      },
      {
        status: 429,
        detail:
          "The account has <count> projects, as many as it may have. Delete one that is no longer needed.",
        when: "The account has reached its maximum number of projects.",
      },
    ],
  },
  listProjects: {
    tag: "Projects",
    description: "All projects of the account, newest first.",
    query: bodies.listParameters,
    example: { projects: [exampleProject] },
  },
  getProject: {
    tag: "Projects",
    description:
      "The project with the content of its ontology. `ontology` is null when the project is vector only.",
    example: exampleProject,
  },
  renameProject: {
    tag: "Projects",
    description: "Gives the project another name. Its id, and so all addresses, stay. Can be repeated.",
    body: { name: "RenameProject", schema: bodies.renameProjectBody, example: { name: "Harbour archive" } },
    example: { ...exampleProject, name: "Harbour archive" },
  },
  deleteProject: {
    tag: "Projects",
    description: "Removes the project with its documents, index, graph and jobs. Its ontology is kept.",
    errors: [
      {
        status: 500,
        detail: "Failed to delete vector data: <reason>",
        when: "The index could not be removed. Nothing was deleted.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
