/** The facts of a chunk while corrections and lessons are applied to them, one after another. */
import { oneLine } from "../../../domain/correction.ts";
import type { ConfidenceLimits, EntityKey } from "../../../domain/graph.ts";
import type { Fact } from "../../../domain/ontology-schema.ts";
import {
  confidenceUnits,
  type StoredEdge,
  type StoredMention,
  type StoredProperty,
  type StoredProposal,
} from "./graph-facts.ts";

export interface FactsContext {
  readonly sourceDocId: string;
  /** How often the project was moved to another ontology since the document was read. */
  readonly moves: number | null;
  /** The document's text between these offsets, which are in the chunk. */
  readonly textOf: (start: number, end: number) => string;
  /** Whether the project's ontology allows it. */
  readonly allows: (fact: Fact) => boolean;
  /** Whether the project's ontology has it. */
  readonly allowsType: (type: string) => boolean;
  /** Of the project. */
  readonly limits: ConfidenceLimits;
}

/** Numbers of nodes stay, their names change. */
export interface FactsWork {
  /** The set of a rule's names. */
  readonly namesIn: (keys: readonly EntityKey[]) => ReadonlySet<string>;
  readonly names: EntityKey[];
  /** The same in the form of `nameOf`. */
  readonly labels: string[];
  /** The names that nodes have, or had before. */
  readonly present: Set<string>;
  /** A node has the name now. */
  readonly give: (label: string) => void;
  /** In one line, by their offsets. */
  readonly sentences: Map<string, string>;
  readonly supported: boolean[];
  mentions: readonly StoredMention[];
  properties: readonly StoredProperty[];
  edges: readonly StoredEdge[];
  proposals: readonly StoredProposal[];
}

export type StoredClaim = StoredEdge | StoredProposal;

export function nameAt({ labels }: Pick<FactsWork, "labels">, node: number): string {
  return labels[node] ?? "";
}

export function sentenceAt(
  { sentences }: FactsWork,
  [start, end]: readonly [number, number],
  context: FactsContext,
): string {
  const key = `${start} ${end}`;
  const known = sentences.get(key) ?? oneLine(context.textOf(start, end));
  sentences.set(key, known);
  return known;
}

/** A proposal becomes a relationship: the chunk mentions its ends where its sentence has their names. */
export function assertProposal(
  work: FactsWork,
  proposal: StoredProposal,
  { units, context }: { readonly units: number; readonly context: FactsContext },
): StoredEdge {
  const [source, target, type, start, end, , by, from, to, sourceName, targetName, ...timing] = proposal;
  const sentence = context.textOf(start, end);
  for (const [node, name] of [
    [source, sourceName],
    [target, targetName],
  ] as const) {
    if (work.supported[node] === true) continue;
    work.supported[node] = true;
    const at = sentence.indexOf(name);
    const place = at < 0 ? ([start, end] as const) : ([start + at, start + at + name.length] as const);
    work.mentions = [...work.mentions, [node, ...place, name, confidenceUnits]];
  }
  return [source, target, type, start, end, units, by, from, to, ...timing];
}

/** A relationship becomes a proposal. What supports its ends stays. */
export function proposeEdge(work: FactsWork, edge: StoredEdge, units: number): StoredProposal {
  const [source, target, type, start, end, , by, from, to, ...timing] = edge;
  const names = endNames(work, edge);
  return [source, target, type, start, end, units, by, from, to, names.source, names.target, ...timing];
}

/** As the sentence writes them, where the chunk mentions them there. */
export function endNames(
  work: FactsWork,
  claim: StoredClaim,
): { readonly source: string; readonly target: string } {
  const [sourceName, targetName] = claim.slice(9);
  if (typeof sourceName === "string" && typeof targetName === "string")
    return { source: sourceName, target: targetName };
  const [source, target, , start, end] = claim;
  const written = (node: number) =>
    work.mentions.find(([own, from, to]) => own === node && from >= start && to <= end)?.[3] ??
    work.names[node]?.key ??
    "";
  return { source: written(source), target: written(target) };
}
