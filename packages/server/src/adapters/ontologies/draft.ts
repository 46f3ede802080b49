/** Collects the types that a file has, in the order in which it names them. */
import { type EdgeExample, ONTOLOGY_LIMITS } from "../../domain/ontology/types.ts";
import { writeSchema } from "../../domain/ontology/write-schema.ts";
import { type LeftOut, OntologyFileError, type ReadOntologyFile } from "../../ports/ontology-files.ts";

interface DraftType {
  readonly name: string;
  description: string;
  readonly properties: Set<string>;
  readonly aliases: Set<string>;
  readAs?: string;
}

export interface DraftNode extends DraftType {
  level: number;
  readonly aggregates: Set<string>;
  readonly examples: Set<string>;
}

export interface DraftEdge extends DraftType {
  temporal: boolean;
  functional: boolean;
  readonly sourceTypes: Set<string>;
  readonly targetTypes: Set<string>;
  readonly examples: EdgeExample[];
}

export interface Draft {
  name: string | null;
  node(name: string): DraftNode;
  hasNode(name: string): boolean;
  edge(name: string): DraftEdge;
  leaveOut(item: string, reason: string): void;
  finish(): ReadOntologyFile;
}

/** More of them are counted, and many more are not. */
const MAX_LEFT_OUT = { listed: 200, counted: 10_000, characters: 200 } as const;

export function createDraft(): Draft {
  const nodes = new Map<string, DraftNode>();
  const edges = new Map<string, DraftEdge>();
  const leftOut = new Map<string, LeftOut>();
  const typeOf = (name: string) => ({
    ...{ name, description: "" },
    ...{ properties: new Set<string>(), aliases: new Set<string>() },
  });
  return {
    name: null,
    node(name) {
      const known = nodes.get(name);
      if (known !== undefined) return known;
      const made = { ...typeOf(name), level: 0, aggregates: new Set<string>(), examples: new Set<string>() };
      nodes.set(name, made);
      return made;
    },
    hasNode: (name) => nodes.has(name),
    edge(name) {
      const known = edges.get(name);
      if (known !== undefined) return known;
      const ends = { sourceTypes: new Set<string>(), targetTypes: new Set<string>() };
      const made = { ...typeOf(name), ...ends, temporal: false, functional: false, examples: [] };
      edges.set(name, made);
      return made;
    },
    leaveOut(item, reason) {
      if (leftOut.size >= MAX_LEFT_OUT.counted) return;
      const shown = { item: shortened(item), reason: shortened(reason) };
      leftOut.set(`${shown.item}\n${shown.reason}`, shown);
    },
    finish() {
      // An ontology with more is refused.
      if (nodes.size <= ONTOLOGY_LIMITS.nodeTypes && edges.size <= ONTOLOGY_LIMITS.edgeTypes)
        fillAllEnds(this, [...edges.values()], [...nodes.keys()]);
      return { name: this.name, schemaJson: writeBounded(nodes, edges), leftOut: listLeftOut(leftOut) };
    },
  };
}

export function exampleOf(value: unknown): EdgeExample | null {
  if (typeof value === "string") return { source: null, target: null, text: value };
  const { source, target, text } = (value ?? {}) as Readonly<Record<string, unknown>>; // Checked below.
  if (typeof source !== "string" || typeof target !== "string") return null;
  return { source, target, text: typeof text === "string" ? text : null };
}

const ENDS = [
  ["source", "sourceTypes"],
  ["target", "targetTypes"],
] as const;

/**
 * An edge type without source or target types may join all of them.
 * @throws OntologyFileError where all of them would be a large schema: a file of a few KB with thousands of types
 */
function fillAllEnds(draft: Draft, edges: readonly DraftEdge[], names: readonly string[]): void {
  const empty = edges.flatMap((edge) => ENDS.filter(([, member]) => edge[member].size === 0));
  if (empty.length * charactersOf(names) > ONTOLOGY_LIMITS.schemaBytes)
    throw tooLarge(
      `${empty.length} ends of its edge types name no node types, and each would allow all ${names.length}. Name them in the file.`,
    );
  for (const edge of edges)
    for (const [what, member] of ENDS) {
      if (edge[member].size > 0) continue;
      for (const name of names) edge[member].add(name);
      draft.leaveOut(edge.name, `names no ${what} types; all are allowed now`);
    }
}

/** `pairs`: how many pairs of a source and a target type the file lets each edge type join. */
export function leaveOutPairs(draft: Draft, pairs: ReadonlyMap<DraftEdge, number>): void {
  for (const [edge, count] of pairs)
    if (count < edge.sourceTypes.size * edge.targetTypes.size)
      draft.leaveOut(edge.name, "joins only some pairs of its source and target types; all are allowed now");
}

/**
 * The schema of a file that says few things many times, by lists that it shares, can be much longer than the file.
 * @throws OntologyFileError before such a text is made
 */
function writeBounded(nodes: ReadonlyMap<string, DraftNode>, edges: ReadonlyMap<string, DraftEdge>): string {
  let characters = 0;
  for (const type of [...nodes.values(), ...edges.values()])
    for (const value of Object.values(type))
      if (value instanceof Set) characters += charactersOf(value);
      else if (typeof value === "string") characters += value.length;
  if (characters > ONTOLOGY_LIMITS.schemaBytes) throw tooLarge();
  const schemaJson = writeSchema({
    nodeTypes: [...nodes.values()].map(listed),
    edgeTypes: [...edges.values()].map(listed),
  });
  if (Buffer.byteLength(schemaJson) > ONTOLOGY_LIMITS.schemaBytes) throw tooLarge();
  return schemaJson;
}

/** At least, in a list of JSON. */
function charactersOf(names: Iterable<string>): number {
  let characters = 0;
  for (const name of names) characters += name.length + '"",'.length;
  return characters;
}

function tooLarge(reason?: string): OntologyFileError {
  const limit = `would become an ontology of more than ${ONTOLOGY_LIMITS.schemaBytes / 1024 ** 2} MiB`;
  return new OntologyFileError(reason === undefined ? limit : `${limit}: ${reason}`);
}

function listLeftOut(all: ReadonlyMap<string, LeftOut>): readonly LeftOut[] {
  const { listed: most, counted } = MAX_LEFT_OUT;
  const rest = `${all.size - most} ${all.size === counted ? "or " : ""}more`;
  const others = all.size > most ? [{ item: rest, reason: "not listed" }] : [];
  return [...[...all.values()].slice(0, most), ...others];
}

/** A member of a type, as a part that was left out. Many members of a type may repeat its long name. */
export function placeOf(owner: string, member: string): string {
  return `${shortened(owner, MAX_LEFT_OUT.characters / 2)}.${member}`;
}

function shortened(text: string, characters: number = MAX_LEFT_OUT.characters): string {
  return text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`;
}

/** Sets as lists. */
function listed<Type extends object>(type: Type) {
  const members = Object.entries(type).map(([name, value]) => [
    name,
    value instanceof Set ? [...value] : value,
  ]);
  return Object.fromEntries(members) as {
    readonly [Member in keyof Type]: Type[Member] extends Set<infer Item> ? readonly Item[] : Type[Member];
  };
}
