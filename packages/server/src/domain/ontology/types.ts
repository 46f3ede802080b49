/** The types of an ontology, in the form that extraction uses. */

/** A class of entities. */
export interface NodeType {
  readonly name: string;
  /** 0 = concrete; nodes of a higher level aggregate nodes of lower levels. */
  readonly level: number;
  /** "" when there is none. */
  readonly description: string;
  readonly properties: readonly string[];
  /** Names of node types on lower levels. */
  readonly aggregates: readonly string[];
  /** Names of entities of this type. */
  readonly examples: readonly string[];
  /** Other names of the type. */
  readonly aliases: readonly string[];
  /** The name under which texts are read, where the type was renamed. */
  readonly readAs?: string;
}

/** An example of an edge type: the names of both ends, a sentence that states the fact, or all three. */
export interface EdgeExample {
  /** null, like `target`, when only the sentence is given. */
  readonly source: string | null;
  readonly target: string | null;
  readonly text: string | null;
}

/** A class of relationships; a fact may join any of its source types to any of its target types. */
export interface EdgeType {
  readonly name: string;
  /** Like `targetTypes`: at least one name of a node type, of any level. */
  readonly sourceTypes: readonly string[];
  readonly targetTypes: readonly string[];
  readonly properties: readonly string[];
  readonly temporal: boolean;
  /** One target at a time: a later statement ends an earlier one of another target. */
  readonly functional: boolean;
  /** "" when there is none. */
  readonly description: string;
  readonly examples: readonly EdgeExample[];
  /** Other names of the type. */
  readonly aliases: readonly string[];
  /** The name under which texts are read, where the type was renamed. */
  readonly readAs?: string;
}

/** Names are unique, ignoring case and spaces. */
export interface OntologySchema {
  /** By level, then in the order of JSON.parse. */
  readonly nodeTypes: readonly NodeType[];
  /** In the order of the text. */
  readonly edgeTypes: readonly EdgeType[];
  /**
   * Why parts were left out, at most ten lines `path: message`; empty for an ontology that passes the check.
   */
  readonly faults: readonly string[];
}

/** The types of a relationship and its ends. */
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
  /** Of the text of a schema, also one that is made from something else. */
  schemaBytes: 4 * 1024 * 1024,
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
