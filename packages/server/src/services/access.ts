import type { Caller } from "../domain/account.ts";
import { errors, type ServiceError } from "../domain/errors.ts";
import { isId } from "../domain/ids.ts";
import type { Project } from "../domain/project.ts";
import type { ProjectStore } from "../ports/store.ts";

/**
 * The one place where a project is matched with its caller: looked up first, then its owner compared.
 * @throws ServiceError `not_found` without the project, `forbidden()` when it is another account's.
 */
export async function requireProject(
  store: Pick<ProjectStore, "findProject">,
  target: { projectId: string; caller: Caller },
  forbidden: () => ServiceError = errors.projectForbidden,
): Promise<Project> {
  const { projectId, caller } = target;
  const project = isId("prj", projectId) ? await store.findProject({ projectId }) : null;
  if (project === null) throw errors.projectNotFound(projectId);
  if (project.accountId !== caller.accountId) throw forbidden();
  return project;
}
