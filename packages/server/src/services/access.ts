import type { Caller } from "../domain/account.ts";
import { errors, type ServiceError } from "../domain/errors.ts";
import { isId } from "../domain/ids.ts";
import type { Project } from "../domain/project.ts";
import type { ProjectStore } from "../ports/store.ts";

/**
 * The only place that checks whether a caller may access a project. Questions do not call it first: the
 * statement that reads the state of the index is itself restricted to the caller's account, and they call
 * this only after a failure.
 * @throws ServiceError `not_found` for an unknown project, `forbidden()` for one of another account
 */
export async function requireProject(
  store: Pick<ProjectStore, "findProject">,
  target: { projectId: string; caller: Caller },
  forbidden: () => ServiceError = errors.projectForbidden,
): Promise<Project> {
  const { projectId, caller } = target;
  requireProjectId(projectId);
  const project = await store.findProject({ projectId });
  if (project === null) throw errors.projectNotFound(projectId);
  if (project.accountId !== caller.accountId) throw forbidden();
  return project;
}

/** @throws ServiceError `not_found` for a text that cannot be an id, which so never reaches the database */
export function requireProjectId(projectId: string): void {
  if (!isId("prj", projectId)) throw errors.projectNotFound(projectId);
}
