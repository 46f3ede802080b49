import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import { type ReembeddingWaitOptions, type RereadWaitOptions, waitUntilEnded } from "../wait-until-ended.ts";
import type {
  ChangedProject,
  ChangeProject,
  CreatedProject,
  CreateProject,
  Project,
  ProjectConfiguration,
  ProjectList,
  ProjectStats,
  Reembedding,
  ReembedProject,
  RenameProject,
  Reread,
} from "../wire.ts";

export type ListedProject = ProjectList["projects"][number];

const PAGE = 1000;

export function projectsResource(transport: Transport) {
  /** All projects of the account, newest first, or one page of them. */
  const list = (page: { limit?: number; offset?: number } = {}, options?: CallOptions) =>
    transport.json<ProjectList>({ method: "GET", path: "/projects", query: page, options });
  return {
    list,

    /** Without `vector_only` the project keeps a graph. */
    create: (body: CreateProject, options?: CallOptions) =>
      transport.json<CreatedProject>({ method: "POST", path: "/projects", body, creates: true, options }),

    /** The project with the content of its ontology. */
    get: (projectId: string, options?: CallOptions) =>
      transport.json<Project>({ method: "GET", path: pathOf`/projects/${projectId}`, options }),

    /** Its id stays. */
    rename: (projectId: string, body: RenameProject, options?: CallOptions) =>
      transport.json<Project>({
        method: "POST",
        path: pathOf`/projects/${projectId}/rename`,
        body,
        options,
      }),

    /**
     * Renames the project, or binds it to another ontology or version, under which its documents are then read again in the
     * background (`waitForReread`). With `dryRun` it only tells what that would change.
     */
    change: (
      projectId: string,
      body: ChangeProject,
      { dryRun = false }: { readonly dryRun?: boolean } = {},
      options?: CallOptions,
    ) =>
      transport.json<ChangedProject>({
        method: "PATCH",
        path: pathOf`/projects/${projectId}`,
        query: dryRun ? { dry_run: "true" } : {},
        body,
        tellsChange: !dryRun,
        options,
      }),

    /** Deletes the project and everything in it. Its ontology is kept. */
    delete: (projectId: string, options?: CallOptions) =>
      transport.empty({ method: "DELETE", path: pathOf`/projects/${projectId}`, options }),

    /** Counts of the project's documents, chunks, entities, relationships and jobs. */
    stats: (projectId: string, options?: CallOptions) =>
      transport.json<ProjectStats>({ method: "GET", path: pathOf`/projects/${projectId}/stats`, options }),

    /** The project's configuration, and the service's current settings. */
    config: (projectId: string, options?: CallOptions) =>
      transport.json<ProjectConfiguration>({
        method: "GET",
        path: pathOf`/projects/${projectId}/config`,
        options,
      }),

    ...backgroundWork(transport),

    /** Yields all projects, newest first. */
    each: (options?: CallOptions) =>
      eachItem<ListedProject, ProjectList>({
        pageSize: PAGE,
        page: (limit, offset) => list({ limit, offset }, options),
        itemsOf: ({ projects }) => projects,
      }),
  };
}

/** Work on a whole project that runs in the background: moves to other embedding models, and rereads. */
function backgroundWork(transport: Transport) {
  const reembedding = (projectId: string, options?: CallOptions) =>
    transport.json<Reembedding>({ method: "GET", path: pathOf`/projects/${projectId}/reembed`, options });
  const getReread = (projectId: string, options?: CallOptions) =>
    transport.json<Reread>({ method: "GET", path: pathOf`/projects/${projectId}/reread`, options });
  return {
    /**
     * Moves the project to the embedding model of new projects or to another configured one, in the background. For one that
     * has the model already it resolves to a completed move with a `created_at` of null.
     */
    reembed: (projectId: string, body: ReembedProject = {}, options?: CallOptions) =>
      transport.json<Reembedding>({
        method: "POST",
        path: pathOf`/projects/${projectId}/reembed`,
        body,
        options,
      }),

    /** The current move to another embedding model, or the last one. */
    reembedding,

    /** Resolves to the move when it is completed, failed or cancelled. */
    waitForReembedding: (projectId: string, options?: ReembeddingWaitOptions) =>
      waitUntilEnded((call) => reembedding(projectId, call), options),

    /** The project keeps its present model. */
    cancelReembedding: (projectId: string, options?: CallOptions) =>
      transport.json<Reembedding>({
        method: "POST",
        path: pathOf`/projects/${projectId}/reembed/cancel`,
        options,
      }),

    /** Reads all documents again for the graph, in the background; the project answers from what it has. */
    reread: (projectId: string, options?: CallOptions) =>
      transport.json<Reread>({ method: "POST", path: pathOf`/projects/${projectId}/reread`, options }),

    /** The current reread of the documents, or the last one. */
    getReread,

    /** Resolves to the reread when it is completed, failed or cancelled. */
    waitForReread: (projectId: string, options?: RereadWaitOptions) =>
      waitUntilEnded((call) => getReread(projectId, call), options),

    /** Documents that were already read again stay so. */
    cancelReread: (projectId: string, options?: CallOptions) =>
      transport.json<Reread>({ method: "POST", path: pathOf`/projects/${projectId}/reread/cancel`, options }),
  };
}
