/** Collects the types that a file has, in the order in which it names them. */
import { type EdgeExample, ONTOLOGY_LIMITS } from "../../domain/ontology/types.ts";
import { writeSchema } from "../../domain/ontology/write-schema.ts";
import type { LeftOut, ReadOntologyFile } from "../../ports/ontology-files.ts";

interface DraftType {
  readonly name: string;
  description: string;
  readonly properties: Set<string>;
  readonly aliases: Set<string>;
}

export interface DraftNode extends DraftType {
  level: number;
  readonly aggregates: Set<string>;
  readonly examples: Set<string>;
}

export interface DraftEdge extends DraftType {
  temporal: boolean;
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

/** More of them are counted. */
const MAX_LEFT_OUT = 200;

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
      const made = { ...typeOf(name), ...ends, temporal: false, examples: [] };
      edges.set(name, made);
      return made;
    },
    leaveOut: (item, reason) => void leftOut.set(`${item}\n${reason}`, { item, reason }),
    finish() {
      // An ontology with more is refused.
      if (nodes.size <= ONTOLOGY_LIMITS.nodeTypes && edges.size <= ONTOLOGY_LIMITS.edgeTypes)
        for (const edge of edges.values()) fillEnds(this, edge, nodes.keys());
      const items = [...leftOut.values()];
      const rest = items.length - MAX_LEFT_OUT;
      const counted = rest > 0 ? [{ item: `${rest} more`, reason: "not listed" }] : [];
      return {
        name: this.name,
        schemaJson: writeSchema({
          nodeTypes: [...nodes.values()].map(listed),
          edgeTypes: [...edges.values()].map(listed),
        }),
        leftOut: [...items.slice(0, MAX_LEFT_OUT), ...counted],
      };
    },
  };
}

export function exampleOf(value: unknown): EdgeExample | null {
  if (typeof value === "string") return { source: null, target: null, text: value };
  const { source, target, text } = (value ?? {}) as Readonly<Record<string, unknown>>; // Checked below.
  if (typeof source !== "string" || typeof target !== "string") return null;
  return { source, target, text: typeof text === "string" ? text : null };
}

/** An edge type without source or target types may join all of them. */
function fillEnds(draft: Draft, edge: DraftEdge, names: Iterable<string>): void {
  const all = [...names];
  const ends = [
    ["source", edge.sourceTypes],
    ["target", edge.targetTypes],
  ] as const;
  for (const [what, types] of ends) {
    if (types.size > 0) continue;
    for (const name of all) types.add(name);
    draft.leaveOut(edge.name, `names no ${what} types; all are allowed now`);
  }
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
