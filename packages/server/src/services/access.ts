import type { Caller } from "../domain/account.ts";
import { errors, type ServiceError } from "../domain/errors.ts";
import { isId } from "../domain/ids.ts";
import type { Project } from "../domain/project.ts";
import type { ProjectStore } from "../ports/store.ts";

/**
 * The one place where a project is matched with its caller: looked up first, then its owner compared. Only questions
 * come here afterwards: the statement that reads the state of an index finds the caller's alone.
 * @throws ServiceError `not_found` without the project, `forbidden()` when it is another account's.
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

/** @throws ServiceError `not_found` for a text that cannot be an id; such texts never reach the database. */
export function requireProjectId(projectId: string): void {
  if (!isId("prj", projectId)) throw errors.projectNotFound(projectId);
}
