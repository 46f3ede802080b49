import type { Generated } from "kysely";
import type { SubjectKind, UnfitFact } from "../../domain/graph.ts";

/** The record of a chunk for retrieval over the graph. Written and deleted together with the chunk. */
export interface PassageGraphRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** A name that a chunk is about. */
export interface PassageSubjectRow {
  readonly project_id: string;
  readonly name: string;
  readonly version_id: number;
  readonly position: number;
  readonly kind: SubjectKind;
  /** The result of `endsOfName`. */
  readonly ends: string | null;
  /** 1 once the version is visible. */
  readonly is_live: number;
}

/** The facts of a chunk: the evidence from which the rest of the graph is derived. */
export interface ChunkFactsRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
  /** `StoredFacts` as JSON; what the graph has of the chunk, corrections included. */
  readonly facts: string;
  /** As the text states them; null where no correction changes them. */
  readonly original: string | null;
}

export interface UnfitFactRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
  readonly kind: UnfitFact["kind"];
  readonly source_type: string;
  readonly name: string;
  readonly target_type: string;
  readonly count: number;
  readonly example: string;
}

/** A node: a name with its type. */
export interface EntityRow {
  readonly project_id: string;
  /** Of the project's own counter, `next_node_id`. */
  readonly node_id: number;
  readonly type: string;
  readonly name_key: string;
  /**
   * The number of the entity that this node belongs to: its smallest node that has a type, else its smallest.
   * null: no chunk of a live version supports the node; it is kept for joins by rule, which count as soon as a chunk supports it,
   * and for proposals.
   */
  readonly entity_id: number | null;
}

/** text: a document states that two nodes are the same thing. rule: a rule infers it from their names. */
export type JoinOrigin = "text" | "rule";

/** untyped: a name without a type, and the only type that the same name has elsewhere. Derived from the live nodes; never stored. */
export type JoinReason = JoinOrigin | "untyped";

/** `node_a` is the smaller node. `chunks`: number of chunks of live versions that support the join. */
export interface EntityJoinRow {
  readonly project_id: string;
  readonly node_a: number;
  readonly node_b: number;
  readonly origin: JoinOrigin;
  readonly chunks: number;
}

/** A chunk of a live version. */
interface ChunkPlace {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
}

/** A chunk that supports a node. */
export interface EntityPlaceRow extends ChunkPlace {
  readonly node_id: number;
  /**
   * The written forms of the name in the chunk, joined by `formEnd`; "" when the chunk only implies the node.
   */
  readonly forms: string;
}

export interface EntityPropertyRow {
  readonly project_id: string;
  readonly node_id: number;
  readonly property: string;
  readonly value: string;
  readonly chunks: number;
}

export interface PropertyPlaceRow extends ChunkPlace {
  readonly node_id: number;
  readonly property: string;
  readonly value: string;
}

export interface RelationshipPlaceRow extends ChunkPlace {
  readonly source_node: number;
  readonly target_node: number;
  /** "" for the members of a node of an upper level; no type of an ontology is empty. */
  readonly type: string;
  /** In thousandths. */
  readonly confidence: Generated<number>;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  /** The end of all for which it is known, "2020~" for 2020; "" = not known, null: of a type without times. */
  readonly known_until: string | null;
  /** When a source of a functional type has this target from; null: it does not tell. */
  readonly turn_at: string | null;
}

/** A chunk that states a proposal. Its nodes need not be live. */
export interface ProposalPlaceRow extends ChunkPlace {
  readonly source_node: number;
  readonly target_node: number;
  readonly type: string;
  /** In thousandths. */
  readonly confidence: number;
}

export interface EntityTypeRow {
  readonly project_id: string;
  readonly type: string;
  readonly count: number;
}

export interface RelationshipTypeRow {
  readonly project_id: string;
  readonly type: string;
  readonly source_type: string;
  readonly target_type: string;
  readonly count: number;
}
