import type { Project } from "@kcs/sdk";

type EdgeTypes = NonNullable<Project["ontology"]>["edge_types"];

/** The types of both ends; undefined where an end is not known yet. */
export interface EndTypes {
  readonly source: string | undefined;
  readonly target: string | undefined;
}

/** Of these types those that the ontology allows between the ends, as far as they are known. */
export function allowedTypes(edgeTypes: EdgeTypes, { source, target }: EndTypes): readonly string[] {
  const has = (types: readonly string[], type: string | undefined) =>
    type === undefined || types.includes(type);
  return edgeTypes
    .filter((edge) => has(edge.source_types, source) && has(edge.target_types, target))
    .map(({ name }) => name);
}

/** First those that are allowed, both in the order in which they are given. */
export function allowedFirst(types: readonly string[], allowed: readonly string[]): readonly string[] {
  const first = new Set(allowed);
  return [...types.filter((type) => first.has(type)), ...types.filter((type) => !first.has(type))];
}
