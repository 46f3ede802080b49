/** What `POST …/corrections/ontology` will add to an ontology, told before. */
import type { CorrectionExamples, OntologySchema } from "@kcs/sdk";

/** The limit of the service for a type. */
const maxExamples = 200;

export interface PlannedExamples {
  /** As people read it. */
  readonly type: string;
  readonly added: number;
  readonly leftOut: number;
  /** Why some have no place. */
  readonly reason: "no type" | "full" | null;
}

/** The types to which examples are added, or for whose examples there is no place; what a type has already is in neither number. */
export function planExamples(
  { ontology: { hierarchy, edge_types: edges } }: OntologySchema,
  { node_types: names, edge_types: facts }: CorrectionExamples,
): readonly PlannedExamples[] {
  const nodeTypes = new Map(hierarchy.flatMap(({ node_types: types }) => Object.entries(types)));
  const edgeTypes = new Map((edges ?? []).map((edge) => [edge.name, edge]));
  return [
    ...names.map(({ name, examples }) => planOf(name, { examples, type: nodeTypes.get(name) })),
    ...facts.map(({ name, examples }) => planOf(name, { examples, type: edgeTypes.get(name) })),
  ].filter(({ added, leftOut }) => added + leftOut > 0);
}

function planOf(
  type: string,
  given: {
    readonly examples: readonly unknown[];
    /** undefined: the ontology does not have it. */
    readonly type: { readonly examples?: readonly unknown[] | null | undefined } | undefined;
  },
): PlannedExamples {
  if (given.type === undefined) return { type, added: 0, leftOut: given.examples.length, reason: "no type" };
  const before = given.type.examples ?? [];
  // As the service compares them.
  const known = new Set(before.map((each) => JSON.stringify(each)));
  const others = given.examples.filter((each) => !known.has(JSON.stringify(each))).length;
  const added = Math.min(others, Math.max(0, maxExamples - before.length));
  return { type, added, leftOut: others - added, reason: others > added ? "full" : null };
}
