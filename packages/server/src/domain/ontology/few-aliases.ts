/** Bounds the aliases of an ontology: 100 of each of 4,000 types are too many to read with each text or question. */
import type { OntologySchema } from "./types.ts";

/** Every type keeps as many of its first ones as there is room for in all types. */
export function withFewAliases(schema: OntologySchema, most: number): OntologySchema {
  const counts = [...schema.nodeTypes, ...schema.edgeTypes].map(({ aliases }) => aliases.length);
  let [each, total] = [0, 0];
  // An ontology has at most 100 aliases a type.
  for (; counts.some((count) => count > each); each++) {
    total += counts.filter((count) => count > each).length;
    if (total > most) break;
  }
  const keep = <Type extends { readonly aliases: readonly string[] }>(type: Type): Type => ({
    ...type,
    aliases: type.aliases.slice(0, each),
  });
  return { ...schema, nodeTypes: schema.nodeTypes.map(keep), edgeTypes: schema.edgeTypes.map(keep) };
}
