import { useNavigate } from "@tanstack/react-router";
import { service } from "../../../api/service.ts";

export interface TypedName {
  readonly type: string;
  readonly name: string;
}

/** Returns what leads to the page of the entity that has this name now, or to the graph if there is none, and gives its id. */
export function useShowEntity(projectId: string): (named: TypedName) => Promise<string | null> {
  const navigate = useNavigate();
  return async ({ type, name }) => {
    const { entities } = await service.graph.entities(projectId, { search: name, type });
    // It may be called by another one of its names.
    const found = entities.find((each) => each.name === name) ?? entities[0];
    const to = { params: { projectId }, replace: true };
    await (found === undefined
      ? navigate({ to: "/projects/$projectId/graph", ...to })
      : navigate({ to: "/projects/$projectId/entity", search: { id: found.entity_id }, ...to }));
    return found?.entity_id ?? null;
  };
}
