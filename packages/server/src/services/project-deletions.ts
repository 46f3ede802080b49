/** Ends dynamic questions whose project is deleted meanwhile: a call of a model would go on for nobody. */
import { errors } from "../domain/errors.ts";
import type { ProjectStore } from "../ports/store.ts";

export interface ProjectDeletions {
  /** `signal` is aborted with `not_found` when the project is deleted, until `end` is called. */
  watch(projectId: string): { readonly signal: AbortSignal; end(): void };
  /** This process has deleted the project. */
  report(projectId: string): void;
}

/** How often a watch looks whether another process on the same database has deleted the project. */
const CHECK_MS = 4_000;

export function createProjectDeletions(store: Pick<ProjectStore, "findProject">): ProjectDeletions {
  const watched = new Map<string, Set<AbortController>>();

  function report(projectId: string): void {
    const reason = errors.projectNotFound(projectId);
    for (const controller of watched.get(projectId) ?? []) controller.abort(reason);
  }

  /** While the database is unavailable, nothing is known. */
  async function check(projectId: string): Promise<void> {
    const project = await store.findProject({ projectId }).catch(() => undefined);
    if (project === null) report(projectId);
  }

  return {
    watch(projectId) {
      const controller = new AbortController();
      const watching = watched.get(projectId) ?? new Set();
      watched.set(projectId, watching.add(controller));
      const timer = setInterval(() => void check(projectId), CHECK_MS);
      return {
        signal: controller.signal,
        end() {
          clearInterval(timer);
          watching.delete(controller);
          if (watching.size === 0) watched.delete(projectId);
        },
      };
    },
    report,
  };
}
