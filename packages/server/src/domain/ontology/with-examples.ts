/** Adds examples to the types of an ontology. */
import { errors } from "../errors.ts";
import { ONTOLOGY_LIMITS } from "./types.ts";

export interface FactExample {
  readonly source: string;
  readonly target: string;
  readonly text?: string;
}

export interface CorrectionExamples {
  readonly nodeTypes: readonly { readonly name: string; readonly examples: readonly string[] }[];
  readonly edgeTypes: readonly {
    readonly name: string;
    readonly examples: readonly FactExample[];
    readonly rejected: readonly FactExample[];
  }[];
}

/**
 * The schema with what was confirmed as examples of its types, behind those that it has. Members that are not understood stay as they are.
 * `schemaJson` has passed the check of ontologies.
 * @throws ServiceError `invalid_input` for an ontology that would be larger than one that is sent
 */
export function withExamples(schemaJson: string, { nodeTypes, edgeTypes }: CorrectionExamples): string {
  // The form that the check requires.
  const schema = JSON.parse(schemaJson) as { readonly ontology: Members };
  const ofNode = new Map(nodeTypes.map(({ name, examples }) => [name, examples]));
  const ofEdge = new Map(edgeTypes.map(({ name, examples }) => [name, examples]));
  for (const level of listOf<Members>(schema.ontology["hierarchy"]))
    for (const [name, type] of Object.entries((level["node_types"] ?? {}) as Record<string, Exemplified>))
      addExamples(type, ofNode.get(name) ?? []);
  for (const edge of listOf<Exemplified & { readonly name: string }>(schema.ontology["edge_types"]))
    addExamples(edge, ofEdge.get(edge.name) ?? []);
  const exemplified = JSON.stringify(schema);
  if (Buffer.byteLength(exemplified) > ONTOLOGY_LIMITS.schemaBytes)
    throw errors.invalidInput(
      `schema: with the examples, the ontology would have more than ${ONTOLOGY_LIMITS.schemaBytes / 1024 ** 2} MiB`,
    );
  return exemplified;
}

type Members = Readonly<Record<string, unknown>>;

interface Exemplified {
  examples?: unknown[] | null;
}

function listOf<Item>(value: unknown): readonly Item[] {
  return (value ?? []) as readonly Item[]; // As the check requires, too.
}

function addExamples(type: Exemplified, added: readonly unknown[]): void {
  if (added.length === 0) return;
  const known = new Set((type.examples ?? []).map((each) => JSON.stringify(each)));
  const others = added.filter((each) => !known.has(JSON.stringify(each)));
  type.examples = [...(type.examples ?? []), ...others].slice(0, ONTOLOGY_LIMITS.examples);
}
