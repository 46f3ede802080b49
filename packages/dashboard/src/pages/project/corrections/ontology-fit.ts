/** Whether an ontology has the types that a correction names: without them it changes nothing. As the service counts it before a change of ontology. */
import type { ListedCorrection, OntologySchema } from "@kcs/sdk";

/** What a correction says, without what it was stored with. */
type Named = { readonly type: string; readonly also: readonly { readonly type: string }[] };

export type FitOf = (correction: ListedCorrection) => boolean;

/** Reads the ontology once. Types can be named by an alias, as those of another ontology may be. */
export function fitTo({ ontology: { hierarchy, edge_types: edgeTypes } }: OntologySchema): FitOf {
  const nodes = new Map<string, readonly string[]>();
  const names = new Map<string, string>();
  for (const { node_types: types } of hierarchy)
    for (const [name, { properties, aliases }] of Object.entries(types)) {
      nodes.set(name, properties ?? []);
      for (const alias of aliases ?? []) names.set(alias, name);
    }
  const edges = new Map<string, NonNullable<typeof edgeTypes>[number]>();
  for (const edge of edgeTypes ?? [])
    for (const name of [...(edge.aliases ?? []), edge.name]) edges.set(name, edge);
  const called = (type: string) => (nodes.has(type) ? type : (names.get(type) ?? type));
  const typesOf = ({ type, also }: Named) => [type, ...also.map((other) => other.type)].map(called);
  const isKnown = (entity: Named) => typesOf(entity).some((type) => nodes.has(type));
  return (each) => {
    switch (each.kind) {
      case "rename":
      case "remove_property":
        return isKnown(each.entity);
      case "retype":
        return nodes.has(called(each.type)) && isKnown(each.entity);
      case "merge":
      case "split":
        return nodes.has(called(each.into.type)) && isKnown(each.entity);
      case "add_property":
        return typesOf(each.entity).some((type) => nodes.get(type)?.includes(each.property));
      case "add_relationship":
      case "reject":
      case "confirm": {
        const edge = edges.get(each.type);
        const has = (ends: readonly string[] | undefined, entity: Named) =>
          typesOf(entity).some((type) => nodes.has(type) && ends?.includes(type));
        const fits = has(edge?.source_types, each.source) && has(edge?.target_types, each.target);
        if (each.kind !== "confirm") return fits;
        // What the ends of a proposal are taken for.
        const isTaken = (ends: readonly string[] | undefined, type: string, { type: own }: Named) =>
          type === own || has(ends, { type, also: [] });
        return (
          fits &&
          isTaken(edge?.source_types, each.source_type, each.source) &&
          isTaken(edge?.target_types, each.target_type, each.target)
        );
      }
    }
  };
}

export interface AllowedEnds {
  readonly source: readonly string[];
  readonly target: readonly string[];
}

/** Between which types the ontology allows a relationship of this type; null where it does not have it. */
export function allowedEnds({ ontology }: OntologySchema, type: string): AllowedEnds | null {
  const edge = ontology.edge_types?.find(({ name, aliases }) => name === type || aliases?.includes(type));
  return edge === undefined ? null : { source: edge.source_types ?? [], target: edge.target_types ?? [] };
}
