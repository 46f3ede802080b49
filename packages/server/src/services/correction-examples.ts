/** What people have confirmed and rejected, in the form of an ontology's examples. */
import type { Correction } from "../domain/correction.ts";
import { ONTOLOGY_LIMITS } from "../domain/ontology/types.ts";
import type { CorrectionStore } from "../ports/correction-store.ts";

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

const PAGE = 500;

/** At most `ONTOLOGY_LIMITS.examples` of a type and verdict, the newest. */
export async function readExamples(
  store: Pick<CorrectionStore, "listCorrections">,
  projectId: string,
): Promise<CorrectionExamples> {
  const names = new Map<string, Set<string>>();
  const facts = new Map<string, { readonly examples: FactExample[]; readonly rejected: FactExample[] }>();
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    const found = await store.listCorrections({
      ...{ projectId, kind: null, withoutEvidence: false, newestFirst: true },
      page: { limit: PAGE, offset },
    });
    total = found.total;
    for (const { change } of found.corrections) {
      addName(names, change);
      addFact(facts, change);
    }
  }
  return {
    nodeTypes: [...names].map(([name, examples]) => ({ name, examples: [...examples] })),
    edgeTypes: [...facts].map(([name, of]) => ({ name, ...of })),
  };
}

function addName(names: Map<string, Set<string>>, change: Correction["change"]): void {
  if (change.kind !== "retype") return;
  const known = names.get(change.type) ?? new Set();
  names.set(change.type, known);
  if (known.size < ONTOLOGY_LIMITS.examples) known.add(change.entity.name);
}

function addFact(
  facts: Map<string, { readonly examples: FactExample[]; readonly rejected: FactExample[] }>,
  change: Correction["change"],
): void {
  if (change.kind !== "confirm" && change.kind !== "reject" && change.kind !== "add_relationship") return;
  const known = facts.get(change.type) ?? { examples: [], rejected: [] };
  facts.set(change.type, known);
  const list = change.kind === "reject" ? known.rejected : known.examples;
  const text = change.kind === "add_relationship" ? null : change.sentence;
  const ends = { source: change.source.name, target: change.target.name };
  if (list.length < ONTOLOGY_LIMITS.examples) list.push({ ...ends, ...(text === null ? {} : { text }) });
}

/**
 * The schema with what was confirmed as examples of its types, behind those that it has. Members that are not understood stay as they are.
 * `schemaJson` has passed the check of ontologies.
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
  return JSON.stringify(schema);
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
