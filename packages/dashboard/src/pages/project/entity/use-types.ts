/** Types that a correction can name: those of the project's graph, and of its ontology if it has one. */
import { useQuery } from "@tanstack/react-query";
import { projectConfigQuery, projectQuery, projectStatsQuery } from "../../../api/projects.ts";
import { allowedFirst, allowedTypes, type EndTypes } from "./allowed-first.ts";

export function useEntityTypes(projectId: string): readonly string[] {
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: stats } = useQuery(projectStatsQuery(projectId));
  const levels = project?.ontology?.hierarchy ?? [];
  const own = levels.flatMap(({ node_types: types }) => Object.keys(types));
  return joined(own, stats?.entities_by_type);
}

/** Names of properties that the ontology has for a type. */
export function usePropertyNames(projectId: string, type: string): readonly string[] {
  const { data: project } = useQuery(projectQuery(projectId));
  const levels = project?.ontology?.hierarchy ?? [];
  return levels.flatMap(({ node_types: types }) => types[type]?.properties ?? []);
}

/** First those that the ontology allows between entities of these types. */
export function useRelationshipTypes(projectId: string, ends: EndTypes): readonly string[] {
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: stats } = useQuery(projectStatsQuery(projectId));
  const edges = project?.ontology?.edge_types ?? [];
  const all = joined(
    edges.map(({ name }) => name),
    stats?.relationships_by_type,
  );
  return allowedFirst(all, allowedTypes(edges, ends));
}

/** Whether the project is bound to an ontology; false while it is not known. */
export function useHasOntology(projectId: string): boolean {
  const { data } = useQuery(projectConfigQuery(projectId));
  return data !== undefined && data.ontology !== null;
}

function joined(
  own: readonly string[],
  counts: readonly { readonly type: string }[] | undefined,
): readonly string[] {
  return [...new Set([...own, ...(counts ?? []).map(({ type }) => type)])];
}
