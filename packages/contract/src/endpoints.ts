import type { z } from "zod";

import * as responses from "./responses.ts";

export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/api/v1`, with `{name}` for path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly success: 200 | 201 | 204;
  /** null when the success has no body. */
  readonly response: z.ZodType | null;
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
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
