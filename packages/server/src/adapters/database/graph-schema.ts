import type { Generated } from "kysely";
import type { SubjectKind, UnfitFact } from "../../domain/graph.ts";

/** What is kept of a chunk for retrieval over the graph; written and removed with the chunk. */
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
  /** As `endsOfName` gives it. */
  readonly ends: string | null;
  /** 1 once the version is seen. */
  readonly is_live: number;
}

/** What a chunk contributes to the graph: the evidence that all else is derived from. */
export interface ChunkFactsRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
  /** `StoredFacts` as JSON. */
  readonly facts: string;
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
  /** Of no other project, either. */
  readonly node_id: Generated<number>;
  readonly project_id: string;
  readonly type: string;
  readonly name_key: string;
  /**
   * The least node of those that are one entity with it. null: no chunk of a live version contributes to it; it is kept for
   * joins by rule, which count once some chunk does.
   */
  readonly entity_id: number | null;
}

/** text: the document says that two nodes are one. rule: their names let it be thought. */
export type JoinOrigin = "text" | "rule";

/** `node_a` is the lesser of the two. Chunks of live versions that say so. */
export interface EntityJoinRow {
  readonly node_a: number;
  readonly node_b: number;
  readonly origin: JoinOrigin;
  readonly chunks: number;
}

/** A chunk of a live version. */
interface Placed {
  readonly version_id: number;
  readonly position: number;
}

/** A chunk contributes to a node. */
export interface EntityPlaceRow extends Placed {
  readonly node_id: number;
  /** In which the chunk writes the name, joined by `formEnd`; "" where it only implies it. */
  readonly forms: string;
}

export interface EntityPropertyRow {
  readonly node_id: number;
  readonly property: string;
  readonly value: string;
  readonly chunks: number;
}

export interface PropertyPlaceRow extends Placed {
  readonly node_id: number;
  readonly property: string;
  readonly value: string;
}

export interface RelationshipPlaceRow extends Placed {
  readonly source_node: number;
  readonly target_node: number;
  /** "" for the members of a node of an upper level: no type of an ontology is called that. */
  readonly type: string;
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
