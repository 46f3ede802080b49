/** What a language model is asked for: concrete types of an ontology, or broad ones where there is none. */
import type { EdgeType, NodeType, OntologySchema } from "../../../../domain/ontology-schema.ts";

/** A kind of fact with the types of its ends, as the reply names it: "Person BORN_IN City". */
export interface FactKind {
  readonly label: string;
  readonly edge: EdgeType;
  readonly sourceType: string;
  readonly targetType: string;
}

export interface OntologyTypes {
  /** The ontology's level 0: what is above is gathered from it, never extracted. */
  readonly schema: OntologySchema;
  /** Every allowed pair; null where there are too many to list, and the reply names edge and types apart. */
  readonly kinds: readonly FactKind[] | null;
}

/** More pairs than this make the list that every call carries longer than its text; providers cap enums, too. */
const MAX_KINDS = 160;

/** The types of entities where no ontology gives any: those of the built-in engine, and what else has a name. */
export const OPEN_MODEL_TYPES = [
  "Person",
  "Organization",
  "Location",
  "Event",
  "Work",
  "Product",
  "Term",
] as const;

export type OpenModelType = (typeof OPEN_MODEL_TYPES)[number];

/** Pure and linear in the number of allowed pairs, up to the limit. */
export function narrowToConcrete(schema: OntologySchema): OntologyTypes {
  const nodeTypes = schema.nodeTypes.filter(({ level }) => level === 0);
  const isConcrete = nameSet(nodeTypes);
  const edgeTypes = schema.edgeTypes
    .map((edge) => ({
      ...edge,
      sourceTypes: edge.sourceTypes.filter(isConcrete),
      targetTypes: edge.targetTypes.filter(isConcrete),
    }))
    .filter(({ sourceTypes, targetTypes }) => sourceTypes.length > 0 && targetTypes.length > 0);
  return { schema: { nodeTypes, edgeTypes, faults: [] }, kinds: listKinds(edgeTypes) };
}

function nameSet(nodeTypes: readonly NodeType[]): (name: string) => boolean {
  const names = new Set(nodeTypes.map(({ name }) => name));
  return (name) => names.has(name);
}

function listKinds(edgeTypes: readonly EdgeType[]): readonly FactKind[] | null {
  const pairs = edgeTypes.reduce(
    (sum, { sourceTypes, targetTypes }) => sum + sourceTypes.length * targetTypes.length,
    0,
  );
  if (pairs > MAX_KINDS) return null;
  const kinds = edgeTypes.flatMap((edge) =>
    edge.sourceTypes.flatMap((sourceType) =>
      edge.targetTypes.map((targetType) => ({
        label: `${sourceType} ${edge.name} ${targetType}`,
        ...{ edge, sourceType, targetType },
      })),
    ),
  );
  // "A B" C and A "B C" would read the same.
  return new Set(kinds.map(({ label }) => label)).size === kinds.length ? kinds : null;
}

/** What models call the broad types, whatever they were told. */
const openTypes: ReadonlyMap<string, OpenModelType> = new Map([
  ...OPEN_MODEL_TYPES.map((type) => [type.toLowerCase(), type] as const),
  ...(["place", "city", "country", "region", "gpe", "loc", "facility"] as const).map(
    (name) => [name, "Location"] as const,
  ),
  ...(["company", "organisation", "org", "institution", "group", "team", "band"] as const).map(
    (name) => [name, "Organization"] as const,
  ),
  ...(["book", "film", "movie", "song", "album", "series", "work of art", "creative work"] as const).map(
    (name) => [name, "Work"] as const,
  ),
  ...(["per", "people", "character"] as const).map((name) => [name, "Person"] as const),
  ...(["concept", "other", "misc", "thing"] as const).map((name) => [name, "Term"] as const),
]);

/** null for what no broad type is called. */
export function readOpenType(written: string): OpenModelType | null {
  return openTypes.get(written.trim().toLowerCase()) ?? null;
}
