import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { Project } from "../domain/project.ts";
import type { GraphTypes } from "../ports/graph-store.ts";
import type { ProjectNumbers } from "../ports/project-numbers.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { createAccountQueue } from "./account-queue.ts";

/** Counts jobs by an index, tens of milliseconds for a million of them. */
const READS = { what: "reads of statistics", atOnce: 1, maxWaiting: 256 } as const;

export interface ProjectStats {
  readonly numbers: ProjectNumbers;
  readonly types: GraphTypes;
}

/** Current configuration of the service, which may differ from that of a project. */
export interface ModelsInUse {
  readonly embeddingModel: string;
  readonly embeddingDimensions: number;
  /** All configured models; the first is that of new projects. */
  readonly embeddingModels: readonly string[];
  readonly maxTextBytes: number;
  /** null when none is configured. */
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
  const reads = createAccountQueue(READS);
  return {
    async getStats(caller, projectId) {
      await requireProject(store, { projectId, caller });
      const [numbers, types] = await reads.run(caller.accountId, () =>
        Promise.all([store.readProjectNumbers({ projectId }), store.readGraphTypes({ projectId })]),
      );
      if (numbers === null) throw errors.projectNotFound(projectId);
      return { numbers, types };
    },

    async getConfiguration(caller, projectId) {
      return { project: await requireProject(store, { projectId, caller }), inUse };
    },
  };
}
