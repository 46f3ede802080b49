/** Types that a correction can name: those of the project's graph, and of its ontology if it has one. */
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { allCorrectionsQuery } from "../../../api/corrections.ts";
import { projectConfigQuery, projectQuery, projectStatsQuery } from "../../../api/projects.ts";
import { usedTypes } from "../../../api/retained-key.ts";
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

/**
 * First those that the ontology allows between entities of these types. Where there is none, also those of corrections and those that were
 * written here before: the graph has no relationship of a type whose only one was rejected.
 */
export function useRelationshipTypes(projectId: string, ends: EndTypes): readonly string[] {
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: stats } = useQuery(projectStatsQuery(projectId));
  const edges = project?.ontology?.edge_types ?? [];
  const { data: config } = useQuery(projectConfigQuery(projectId));
  const isOpen = config?.ontology === null;
  const { data: corrections = [] } = useQuery({ ...allCorrectionsQuery(projectId), enabled: isOpen });
  const client = useQueryClient();
  const known = joined(
    edges.map(({ name }) => name),
    stats?.relationships_by_type,
  );
  const corrected = corrections.flatMap((each) => ("target" in each ? [each.type] : []));
  const all = isOpen ? [...new Set([...known, ...corrected, ...readUsed(client, projectId)])] : known;
  return allowedFirst(all, allowedTypes(edges, ends));
}

/** It is offered again while this window is open, also when its correction was undone. */
export function keepUsedType(client: QueryClient, projectId: string, type: string): void {
  client.setQueryData([usedTypes, projectId], [...new Set([...readUsed(client, projectId), type])]);
}

function readUsed(client: QueryClient, projectId: string): readonly string[] {
  return client.getQueryData<readonly string[]>([usedTypes, projectId]) ?? [];
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
