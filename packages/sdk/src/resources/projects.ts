import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import { type ReembeddingWaitOptions, waitForReembedding } from "../wait-for-reembedding.ts";
import type {
  CreatedProject,
  CreateProject,
  Project,
  ProjectConfiguration,
  ProjectList,
  ProjectStats,
  Reembedding,
  ReembedProject,
} from "../wire.ts";

export type ListedProject = ProjectList["projects"][number];

const PAGE = 1000;

export function projectsResource(transport: Transport) {
  /** All of the account, newest first, or a page of them. */
  const list = (page: { limit?: number; offset?: number } = {}, options?: CallOptions) =>
    transport.json<ProjectList>({ method: "GET", path: "/projects", query: page, options });
  const reembedding = (projectId: string, options?: CallOptions) =>
    transport.json<Reembedding>({ method: "GET", path: pathOf`/projects/${projectId}/reembed`, options });
  return {
    list,

    /** Without `vector_only` the project keeps a graph. */
    create: (body: CreateProject, options?: CallOptions) =>
      transport.json<CreatedProject>({ method: "POST", path: "/projects", body, creates: true, options }),

    /** With the content of its ontology. */
    get: (projectId: string, options?: CallOptions) =>
      transport.json<Project>({ method: "GET", path: pathOf`/projects/${projectId}`, options }),

    /** Deletes the project and everything in it; its ontology stays. */
    delete: (projectId: string, options?: CallOptions) =>
      transport.empty({ method: "DELETE", path: pathOf`/projects/${projectId}`, options }),

    /** Counts of what is in it. */
    stats: (projectId: string, options?: CallOptions) =>
      transport.json<ProjectStats>({ method: "GET", path: pathOf`/projects/${projectId}/stats`, options }),

    /** What was fixed when it was created, and what is in use now. */
    config: (projectId: string, options?: CallOptions) =>
      transport.json<ProjectConfiguration>({
        method: "GET",
        path: pathOf`/projects/${projectId}/config`,
        options,
      }),

    /** To the embedding model of new projects, or to another configured one; goes on in the background. */
    reembed: (projectId: string, body: ReembedProject = {}, options?: CallOptions) =>
      transport.json<Reembedding>({
        method: "POST",
        path: pathOf`/projects/${projectId}/reembed`,
        body,
        options,
      }),

    /** How the move to another embedding model gets on, or the last one ended. */
    reembedding,

    /** The move to another embedding model once it has ended, well or not. */
    waitForReembedding: (projectId: string, options?: ReembeddingWaitOptions) =>
      waitForReembedding((call) => reembedding(projectId, call), options),

    /** Leaves the project with the model that it has. */
    cancelReembedding: (projectId: string, options?: CallOptions) =>
      transport.json<Reembedding>({
        method: "POST",
        path: pathOf`/projects/${projectId}/reembed/cancel`,
        options,
      }),

    /** Each project, newest first. */
    each: (options?: CallOptions) =>
      eachItem<ListedProject>({
        pageSize: PAGE,
        page: async (limit, offset) => (await list({ limit, offset }, options)).projects,
      }),
  };
}
