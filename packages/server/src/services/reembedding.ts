/** Starts, reads and cancels moves of projects to another embedding model. */
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
   * Starts a move to the named model; null = the model of new projects. `model` runs after the access check.
   * @throws ServiceError `invalid_input` for an unknown model, `conflict` during a move to another model
   */
  start(caller: Caller, projectId: string, model: () => string | null): Promise<Reembedding>;
  /** The current move, or the last one. */
  get(caller: Caller, projectId: string): Promise<Reembedding>;
  /** @throws ServiceError `conflict` when there is no current move */
  cancel(caller: Caller, projectId: string): Promise<Reembedding>;
}

export function createReembeddingService(deps: {
  readonly store: Store;
  /** The configured vector spaces; the first is that of new projects. */
  readonly spaces: readonly EmbeddingSpace[];
  readonly allowance: ModelAllowance;
  readonly now: () => number;
  /** Wakes the worker when there is a move to process or to clean up. */
  readonly wake: () => void;
}): ReembeddingService {
  const { store, spaces, now } = deps;

  function requireSpace(model: string | null): EmbeddingSpace {
    const space = model === null ? spaces[0] : spaces.find((each) => each.model === model);
    if (space !== undefined) return space;
    throw errors.embeddingNotConfigured(
      model ?? "",
      spaces.map((each) => each.model),
    );
  }

  async function read(project: Project): Promise<Reembedding> {
    const { projectId } = project;
    const [move, numbers] = await Promise.all([
      store.findReembedding({ projectId }),
      store.readProjectNumbers({ projectId }),
    ]);
    if (move !== null) return move;
    return completedWithoutMove(projectId, {
      space: spaceOf(project.config),
      chunks: numbers?.chunks ?? 0,
    });
  }

  /**
   * Whether this starts a new move, which costs tokens; false if the project
   * is or is being moved there already.
   */
  async function isNew(project: Project, to: EmbeddingSpace): Promise<boolean> {
    if (isSameSpace(spaceOf(project.config), to)) return false;
    const last = await store.findReembedding({ projectId: project.projectId });
    const isActive = last?.status === "pending" || last?.status === "running";
    return !(isActive && isSameSpace(last.to, to));
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
      const move = await read(project);
      if (outcome === "elsewhere") throw errors.otherReembeddingActive(move.to.model);
      deps.wake();
      return move;
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
