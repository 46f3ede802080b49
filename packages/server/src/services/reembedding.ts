/** Lets the owner of a project start, read and cancel its move to another embedding model. */
import type { Caller } from "../domain/account.ts";
import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import { isSameSpace, spaceOf } from "../domain/embedding-space.ts";
import { errors } from "../domain/errors.ts";
import type { Project } from "../domain/project.ts";
import { completedWithoutMove, type Reembedding } from "../domain/reembedding.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import type { ModelAllowance } from "./model-allowance.ts";

export interface ReembeddingService {
  /**
   * Starts a move to the named model; null means the model of new projects. `model` is called only after access is granted.
   * @throws ServiceError `invalid_input` for a model that is not configured, `conflict` while the project moves to another one
   */
  start(caller: Caller, projectId: string, model: () => string | null): Promise<Reembedding>;
  /** The move under way, or the last one. */
  get(caller: Caller, projectId: string): Promise<Reembedding>;
  /** @throws ServiceError `conflict` where none is under way */
  cancel(caller: Caller, projectId: string): Promise<Reembedding>;
}

export function createReembeddingService(deps: {
  readonly store: Store;
  /** The configured ones, that of new projects first. */
  readonly spaces: readonly EmbeddingSpace[];
  readonly allowance: ModelAllowance;
  readonly now: () => number;
  /** Called when there is a move to work on, or to clean up after. */
  readonly wake: () => void;
}): ReembeddingService {
  const { store, spaces, now } = deps;

  function requireSpace(model: string | null): EmbeddingSpace {
    const found = model === null ? spaces[0] : spaces.find((space) => space.model === model);
    if (found !== undefined) return found;
    throw errors.embeddingNotConfigured(
      model ?? "",
      spaces.map((space) => space.model),
    );
  }

  async function read(project: Project): Promise<Reembedding> {
    const { projectId } = project;
    const [found, numbers] = await Promise.all([
      store.findReembedding({ projectId }),
      store.readProjectNumbers({ projectId }),
    ]);
    if (found !== null) return found;
    return completedWithoutMove(projectId, {
      space: spaceOf(project.config),
      chunks: numbers?.chunks ?? 0,
    });
  }

  /** True when the move has to be started, so that it will use tokens: the project is not in the space, nor on its way to it. */
  async function isNew(project: Project, to: EmbeddingSpace): Promise<boolean> {
    if (isSameSpace(spaceOf(project.config), to)) return false;
    const last = await store.findReembedding({ projectId: project.projectId });
    const isUnderWay = last?.status === "pending" || last?.status === "running";
    return !(isUnderWay && isSameSpace(last.to, to));
  }

  return {
    async start(caller, projectId, model) {
      const project = await requireProject(store, { projectId, caller });
      const to = requireSpace(model());
      const { accountId } = caller;
      if (!(await deps.allowance.hasTokens(accountId)) && (await isNew(project, to)))
        throw errors.tokenLimit();
      const outcome = await store.startReembedding({ projectId, accountId, to, now: now() });
      if (outcome === "project_gone") throw errors.projectNotFound(projectId);
      if (outcome === "settled") {
        const chunks = (await store.readProjectNumbers({ projectId }))?.chunks ?? 0;
        return completedWithoutMove(projectId, { space: to, chunks });
      }
      const found = await read(project);
      if (outcome === "elsewhere") throw errors.otherReembeddingActive(found.to.model);
      deps.wake();
      return found;
    },

    async get(caller, projectId) {
      return read(await requireProject(store, { projectId, caller }));
    },

    async cancel(caller, projectId) {
      const project = await requireProject(store, { projectId, caller });
      const outcome = await store.cancelReembedding({ projectId, now: now() });
      if (outcome !== "cancelled") throw errors.nothingToCancel();
      deps.wake();
      return read(project);
    },
  };
}
