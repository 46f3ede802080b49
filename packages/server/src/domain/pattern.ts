/** A pattern that is looked for in a graph. */

export interface PropertyCondition {
  readonly property: string;
  /** Any of these, exactly as stored; null = any value. */
  readonly values: readonly string[] | null;
}

/** All of them must hold. */
export interface NodeConditions {
  /** Any of these; empty = any type. */
  readonly types: readonly string[];
  /** One of the entity's names, or a part of one; the store compares normal forms. */
  readonly name: { readonly text: string; readonly isPart: boolean } | null;
  readonly properties: readonly PropertyCondition[];
}

export interface NodePattern extends NodeConditions {
  readonly entityId: string | null;
}

export interface EdgeConditions {
  /** Any of these; empty = any type. */
  readonly types: readonly string[];
  /** 0…1; a sentence must be at least as sure. */
  readonly minConfidence: number;
}

export interface EdgePattern extends EdgeConditions {
  /** out: from the node before it to the node after it. */
  readonly direction: "out" | "in" | "any";
}

/** A row of nodes, with an edge between each two. */
export interface GraphPattern {
  readonly nodes: readonly NodePattern[];
  readonly edges: readonly EdgePattern[];
  /** A year, month or day at which relationships must hold; null = now. */
  readonly asOf: string | null;
  /** Most rows. */
  readonly limit: number;
}
