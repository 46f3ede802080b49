/** Adds examples to the types of an ontology. */
import { errors } from "../errors.ts";
import type { CheckedSchema } from "../ontology-check.ts";
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

/** Of one type; what the type had before is in neither number. */
export interface AddedExamples {
  readonly name: string;
  readonly added: number;
  /** The ontology lacks the type, or the type has as many examples as it may have. */
  readonly leftOut: number;
}

export interface SchemaWithExamples {
  /** The same text where nothing was added. */
  readonly schemaJson: string;
  readonly nodeTypes: readonly AddedExamples[];
  readonly edgeTypes: readonly AddedExamples[];
}

export type CheckedExamples = SchemaWithExamples & CheckedSchema;

/**
 * The schema with what was confirmed as examples of its types, behind those that it has. Members that are not understood stay as they are.
 * `schemaJson` has passed the check of ontologies.
 * @throws ServiceError `invalid_input` for an ontology that would be larger than one that is sent
 */
export function withExamples(
  schemaJson: string,
  { nodeTypes, edgeTypes }: CorrectionExamples,
): SchemaWithExamples {
  // The form that the check requires.
  const schema = JSON.parse(schemaJson) as { readonly ontology: Members };
  const nodes = listOf<Members>(schema.ontology["hierarchy"]).flatMap((level) =>
    Object.entries((level["node_types"] ?? {}) as Record<string, Exemplified>),
  );
  const edges = listOf<Exemplified & { readonly name: string }>(schema.ontology["edge_types"]).map(
    (edge) => [edge.name, edge] as const,
  );
  const added = { nodeTypes: addTo(new Map(nodes), nodeTypes), edgeTypes: addTo(new Map(edges), edgeTypes) };
  const isSame = [...added.nodeTypes, ...added.edgeTypes].every((each) => each.added === 0);
  const exemplified = isSame ? schemaJson : JSON.stringify(schema);
  if (!isSame && Buffer.byteLength(exemplified) > ONTOLOGY_LIMITS.schemaBytes)
    throw errors.invalidInput(
      `schema: with the examples, the ontology would have more than ${ONTOLOGY_LIMITS.schemaBytes / 1024 ** 2} MiB`,
    );
  return { schemaJson: exemplified, ...added };
}

type Members = Readonly<Record<string, unknown>>;

interface Exemplified {
  examples?: unknown[] | null;
  readonly aliases?: readonly string[] | null;
  readonly read_as?: string | null;
}

function listOf<Item>(value: unknown): readonly Item[] {
  return (value ?? []) as readonly Item[]; // As the check requires, too.
}

function addTo(
  types: ReadonlyMap<string, Exemplified>,
  given: readonly { readonly name: string; readonly examples: readonly unknown[] }[],
): readonly AddedExamples[] {
  const byAlias = new Map(
    [...types.values()].flatMap((type) =>
      [...(type.aliases ?? []), type.read_as ?? []]
        .flat()
        .map((alias) => [alias.toLowerCase(), type] as const),
    ),
  );
  return given.map(({ name, examples }) => {
    // The project may be bound to an earlier version, in which the type has another name.
    const type = types.get(name) ?? byAlias.get(name.toLowerCase());
    if (type === undefined) return { name, added: 0, leftOut: examples.length };
    const before = type.examples ?? [];
    const known = new Set(before.map((each) => JSON.stringify(each)));
    const others = examples.filter((each) => !known.has(JSON.stringify(each)));
    const added = others.slice(0, Math.max(0, ONTOLOGY_LIMITS.examples - before.length));
    if (added.length > 0) type.examples = [...before, ...added];
    return { name, added: added.length, leftOut: others.length - added.length };
  });
}
