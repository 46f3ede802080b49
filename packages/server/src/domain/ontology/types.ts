/** What an ontology allows, in the form that extraction works with. */

/** A class of entities. */
export interface NodeType {
  readonly name: string;
  /** 0 = concrete; nodes of a higher level gather those of lower ones. */
  readonly level: number;
  /** "" where none is given. */
  readonly description: string;
  readonly properties: readonly string[];
  /** Names of node types on lower levels. */
  readonly aggregates: readonly string[];
  /** Names of entities of this type. */
  readonly examples: readonly string[];
  /** Other names of the type. */
  readonly aliases: readonly string[];
}

/** A fact of an edge type in words: the names of both ends, a sentence that states it, or all three. */
export interface EdgeExample {
  /** null together with `target`: only the sentence is given. */
  readonly source: string | null;
  readonly target: string | null;
  readonly text: string | null;
}

/** A class of relationships; a fact may join any of its source types to any of its target types. */
export interface EdgeType {
  readonly name: string;
  /** At least one, each the name of a node type of any level; so are the targets. */
  readonly sourceTypes: readonly string[];
  readonly targetTypes: readonly string[];
  readonly properties: readonly string[];
  readonly temporal: boolean;
  /** "" where none is given. */
  readonly description: string;
  readonly examples: readonly EdgeExample[];
  /** Other names of the type. */
  readonly aliases: readonly string[];
}

/** Names are unique, also without regard to case and spaces. */
export interface OntologySchema {
  /** By level, then in the order of JSON.parse. */
  readonly nodeTypes: readonly NodeType[];
  /** As given. */
  readonly edgeTypes: readonly EdgeType[];
  /** What was left out because it does not hold, at most ten lines `place: message`; none for a checked ontology. */
  readonly faults: readonly string[];
}

/** A relationship as far as its types go. */
export interface Fact {
  readonly type: string;
  readonly sourceType: string;
  readonly targetType: string;
}

export type FactFit =
  | "fits"
  | "unknown_edge_type"
  | "unknown_source_type"
  | "unknown_target_type"
  | "source_not_allowed"
  | "target_not_allowed";

export const ONTOLOGY_LIMITS = {
  levels: 32,
  highestLevel: 1000,
  nodeTypes: 2000,
  edgeTypes: 2000,
  properties: 200,
  aliases: 100,
  examples: 200,
  exampleCharacters: 2000,
  descriptionCharacters: 20_000,
} as const;
