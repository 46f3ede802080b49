import type { Caller } from "../domain/account.ts";
import { errors, ServiceError } from "../domain/errors.ts";
import { isId, newId } from "../domain/ids.ts";
import type { AccountLimits } from "../domain/limits.ts";
import type { Once } from "../domain/once.ts";
import type { Ontology } from "../domain/ontology.ts";
import type { Project, ProjectConfig } from "../domain/project.ts";
import { isSharedMeaning } from "../engine/ingest/extract/facts/relationship-names.ts";
import { type GrownSchema, growSchema } from "../engine/ontology/grow-schema.ts";
import type { ListedProject, Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { accountCapReached } from "./caps.ts";
import { type ListPage, listInSteps } from "./list-in-steps.ts";
import { createOnce, replayAnswer } from "./once.ts";
import type { FindOntology } from "./ontology-reader.ts";

export type { GrownSchema } from "../engine/ontology/grow-schema.ts";

export interface NewProject {
  readonly name: string;
  readonly vectorOnly: boolean;
  readonly ontologyId: string | undefined;
}

export interface ProjectWithOntology {
  readonly project: Project;
  /** null when the project has none. */
  readonly ontology: Ontology | null;
  /**
   * The schema that the data have produced so far; null for a project with an ontology, without a graph or just created.
   */
  readonly grown: GrownSchema | null;
}

export interface ProjectService {
  create(caller: Caller, input: NewProject, once?: Once<ProjectWithOntology>): Promise<ProjectWithOntology>;
  /** Newest first, in steps. */
  list(caller: Caller, page: ListPage | null): AsyncIterable<readonly ListedProject[]>;
  get(caller: Caller, projectId: string): Promise<ProjectWithOntology>;
  /** `name` is called only after access is granted, so that other callers learn nothing from errors in the body. */
  rename(caller: Caller, projectId: string, name: () => string): Promise<ProjectWithOntology>;
  /** @throws ServiceError `internal` with the contract's text when the data could not be removed */
  delete(caller: Caller, projectId: string): Promise<void>;
}

/** Whether the types of the project's graph come from its data. */
function growsSchema({ mode, ontologyId }: Project): boolean {
  return mode === "kg_vector" && ontologyId === null;
}

export function createProjectService(deps: {
  readonly store: Store;
  readonly findOntology: FindOntology;
  readonly limits: AccountLimits;
  readonly signUp: "open" | "closed";
  readonly config: Omit<ProjectConfig, "extraction">;
  /** Extraction of new projects that have a graph. */
  readonly extraction: Exclude<ProjectConfig["extraction"], "none">;
  readonly now: () => number;
  /** Called after a deletion, so that what is still done for the project ends and the disk space is reclaimed. */
  readonly onDeleted: (projectId: string) => void;
}): ProjectService {
  const { store, limits } = deps;

  async function findOntology(
    caller: Caller,
    ontologyId: string | null | undefined,
    version: number | null = null,
  ): Promise<Ontology | null> {
    if (ontologyId === null || ontologyId === undefined) return null;
    const ontology = isId("ont", ontologyId)
      ? await deps.findOntology({ accountId: caller.accountId, ontologyId, version })
      : null;
    if (ontology === null) throw errors.ontologyNotAccessible();
    return ontology;
  }

  async function get(caller: Caller, projectId: string): Promise<ProjectWithOntology> {
    const project = await requireProject(store, { projectId, caller });
    if (!growsSchema(project)) {
      const ontology = await findOntology(caller, project.ontologyId, project.ontologyVersion);
      return { project, ontology, grown: null };
    }
    return {
      project,
      ontology: null,
      grown: growSchema(await store.readGraphTypes({ projectId }), isSharedMeaning),
    };
  }

  return {
    async create(caller, input, once) {
      if (input.vectorOnly && input.ontologyId !== undefined) throw errors.vectorOnlyWithOntology();
      await replayAnswer(store, once, { accountId: caller.accountId, now: deps.now() });
      const ontology = await findOntology(caller, input.ontologyId);
      const project: Project = {
        projectId: newId("prj"),
        accountId: caller.accountId,
        name: input.name,
        mode: input.vectorOnly ? "vector_only" : "kg_vector",
        createdAt: deps.now(),
        ontologyId: ontology?.ontologyId ?? null,
        ontologyVersion: ontology?.version ?? 1,
        config: { ...deps.config, extraction: input.vectorOnly ? "none" : deps.extraction },
      };
      const created = { project, ontology, grown: null };
      const { accountId, createdAt: now } = project;
      const outcome = await createOnce<"createProject">(
        store,
        { name: "createProject", input: { project, maxPerAccount: limits.projects } },
        once === undefined ? null : { accountId, now, key: once, answer: once.answerOf(created) },
      );
      if (outcome === "ontology_gone") throw errors.ontologyNotAccessible();
      if (outcome === "too_many") throw accountCapReached("projects", limits.projects, deps.signUp);
      return created;
    },

    list: ({ accountId }, page) => listInSteps(page, (step) => store.listProjects({ accountId, ...step })),

    get,

    async rename(caller, projectId, name) {
      await requireProject(store, { projectId, caller });
      if (!(await store.renameProject({ projectId, name: name() }))) throw errors.projectNotFound(projectId);
      return get(caller, projectId);
    },

    async delete(caller, projectId) {
      await requireProject(store, { projectId, caller });
      try {
        if (!(await store.deleteProject({ projectId, now: deps.now() })))
          throw errors.projectNotFound(projectId);
        deps.onDeleted(projectId);
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        throw errors.deleteFailed(error instanceof Error ? error.message : String(error), error);
      }
    },
  };
}
