import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { Project } from "../domain/project.ts";
import type { GraphTypes } from "../ports/graph-store.ts";
import type { ProjectNumbers } from "../ports/project-numbers.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";

export interface ProjectStats {
  readonly numbers: ProjectNumbers;
  readonly types: GraphTypes;
}

/** What the service works with now, whatever a project was made with. */
export interface ModelsInUse {
  readonly embeddingModel: string;
  readonly embeddingDimensions: number;
  /** All that are configured, that of new projects first. */
  readonly embeddingModels: readonly string[];
  readonly maxTextBytes: number;
  /** null where none is configured. */
  readonly languageModel: string | null;
}

export interface ProjectConfiguration {
  readonly project: Project;
  readonly inUse: ModelsInUse;
}

export interface ProjectNumbersService {
  getStats(caller: Caller, projectId: string): Promise<ProjectStats>;
  getConfiguration(caller: Caller, projectId: string): Promise<ProjectConfiguration>;
}

export function createProjectNumbersService({
  store,
  inUse,
}: {
  readonly store: Store;
  readonly inUse: ModelsInUse;
}): ProjectNumbersService {
  return {
    async getStats(caller, projectId) {
      await requireProject(store, { projectId, caller });
      const [numbers, types] = await Promise.all([
        store.readProjectNumbers({ projectId }),
        store.readGraphTypes({ projectId }),
      ]);
      if (numbers === null) throw errors.projectNotFound(projectId);
      return { numbers, types };
    },

    async getConfiguration(caller, projectId) {
      return { project: await requireProject(store, { projectId, caller }), inUse };
    },
  };
}
