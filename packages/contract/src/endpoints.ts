import type { z } from "zod";

import * as responses from "./responses.ts";

export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/api/v1`, with `{name}` for path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly success: 200 | 201 | 204;
  /** null when the success has no body, or one that is no JSON: then `mediaTypes` says which. */
  readonly response: z.ZodType | null;
  readonly mediaTypes?: readonly string[];
  /** False for what we add to the published contract. */
  readonly documented: boolean;
}

export const API_PREFIX = "/api/v1";

/** Every endpoint of the API, in one place: routes, tests and the API description go by it. */
export const endpoints = {
  createProject: {
    method: "POST",
    path: "/projects",
    summary: "Create a project",
    success: 200,
    response: responses.createdProject,
    documented: true,
  },
  listProjects: {
    method: "GET",
    path: "/projects",
    summary: "List the account's projects, newest first",
    success: 200,
    response: responses.projectList,
    documented: true,
  },
  getProject: {
    method: "GET",
    path: "/projects/{project_id}",
    summary: "Get a project",
    success: 200,
    response: responses.project,
    documented: true,
  },
  deleteProject: {
    method: "DELETE",
    path: "/projects/{project_id}",
    summary: "Delete a project and everything in it",
    success: 204,
    response: null,
    documented: true,
  },
  ingest: {
    method: "POST",
    path: "/projects/{project_id}/ingest",
    summary: "Ingest one document",
    success: 200,
    response: responses.acceptedJob,
    documented: true,
  },
  ingestBatch: {
    method: "POST",
    path: "/projects/{project_id}/ingest/batch",
    summary: "Ingest up to 1,000 documents, all or none",
    success: 200,
    response: responses.acceptedBatch,
    documented: false,
  },
  listJobs: {
    method: "GET",
    path: "/projects/{project_id}/jobs",
    summary: "List a project's jobs, newest first",
    success: 200,
    response: responses.jobList,
    documented: true,
  },
  getJob: {
    method: "GET",
    path: "/projects/{project_id}/jobs/{job_id}",
    summary: "Get a job",
    success: 200,
    response: responses.job,
    documented: true,
  },
  query: {
    method: "POST",
    path: "/projects/{project_id}/query",
    summary: "Ask a question",
    success: 200,
    response: responses.queryResult,
    documented: true,
  },
  suggestOntology: {
    method: "POST",
    path: "/ontologies/suggest",
    summary: "Suggest an ontology for a use case",
    success: 200,
    response: responses.suggestion,
    documented: true,
  },
  createOntology: {
    method: "POST",
    path: "/ontologies",
    summary: "Create an ontology",
    success: 201,
    response: responses.ontology,
    documented: true,
  },
  listOntologies: {
    method: "GET",
    path: "/ontologies",
    summary: "List the account's ontologies, newest first",
    success: 200,
    response: responses.ontologyList,
    documented: true,
  },
  getOntology: {
    method: "GET",
    path: "/ontologies/{ontology_id}",
    summary: "Get an ontology",
    success: 200,
    response: responses.ontology,
    documented: true,
  },
  listDocuments: {
    method: "GET",
    path: "/projects/{project_id}/documents",
    summary: "List a project's documents, by their id",
    success: 200,
    response: responses.documentList,
    documented: false,
  },
  getDocument: {
    method: "GET",
    path: "/projects/{project_id}/documents/{source_doc_id}",
    summary: "Get a document with its text and chunks",
    success: 200,
    response: responses.document,
    documented: false,
  },
  deleteDocument: {
    method: "DELETE",
    path: "/projects/{project_id}/documents/{source_doc_id}",
    summary: "Delete a document, its chunks and what of the graph rests on it alone",
    success: 204,
    response: null,
    documented: false,
  },
  getChunk: {
    method: "GET",
    path: "/projects/{project_id}/chunks/{chunk_id}",
    summary: "Get a chunk and the text beside it",
    success: 200,
    response: responses.chunk,
    documented: false,
  },
  listEntities: {
    method: "GET",
    path: "/projects/{project_id}/entities",
    summary: "List or search the entities of a project's graph, by name",
    success: 200,
    response: responses.entityList,
    documented: false,
  },
  getEntity: {
    method: "GET",
    path: "/projects/{project_id}/entities/{entity_id}",
    summary: "Get an entity with its evidence and its relationships",
    success: 200,
    response: responses.entityDetail,
    documented: false,
  },
  listRelationships: {
    method: "GET",
    path: "/projects/{project_id}/relationships",
    summary: "List the relationships of a project's graph with their evidence",
    success: 200,
    response: responses.relationshipList,
    documented: false,
  },
  exportGraph: {
    method: "GET",
    path: "/projects/{project_id}/graph/export",
    summary: "Export a project's graph as JSON-LD, GraphML or CSV",
    success: 200,
    response: null,
    mediaTypes: ["application/ld+json", "application/graphml+xml", "text/csv"],
    documented: false,
  },
  getGraphFit: {
    method: "GET",
    path: "/projects/{project_id}/graph/fit",
    summary: "Get what the documents have that the ontology has no place for",
    success: 200,
    response: responses.graphFit,
    documented: false,
  },
  getProjectStats: {
    method: "GET",
    path: "/projects/{project_id}/stats",
    summary: "Get the numbers of a project",
    success: 200,
    response: responses.projectStats,
    documented: false,
  },
  getProjectConfig: {
    method: "GET",
    path: "/projects/{project_id}/config",
    summary: "Get a project's configuration and what is in use",
    success: 200,
    response: responses.projectConfiguration,
    documented: false,
  },
  getUsage: {
    method: "GET",
    path: "/usage",
    summary: "Get the account's use by day and project, and its limits",
    success: 200,
    response: responses.usage,
    documented: false,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
