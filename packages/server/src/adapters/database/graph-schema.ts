import type { SubjectKind } from "../../domain/graph.ts";

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
}

/** A row of a chunk: written and removed with it, whether the chunk is seen or not. */
interface OfChunk {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
}

/** Offsets into the document's text, in UTF-16 code units. */
interface Spanned {
  readonly start_offset: number;
  readonly end_offset: number;
}

/** A node (a name with its type) that the chunk contributes anything to. */
export interface ChunkEntityRow extends OfChunk {
  /** A hash of type and name: the same in every project and at any time. */
  readonly node_id: string;
  readonly type: string;
  readonly name_key: string;
}

export interface EntityEvidenceRow extends OfChunk, Spanned {
  readonly node_id: string;
  /** As the text writes it. */
  readonly name: string;
  /** In thousandths. */
  readonly confidence: number;
}

export interface PropertyEvidenceRow extends OfChunk, Spanned {
  readonly node_id: string;
  readonly property: string;
  readonly value: string;
}

/** text: the document says that two nodes are one. rule: their names let it be thought. */
export type JoinOrigin = "text" | "rule";

/** `node_a` is the lesser of the two. */
export interface JoinEvidenceRow extends OfChunk, Spanned {
  readonly node_a: string;
  readonly node_b: string;
  readonly origin: JoinOrigin;
}

export interface RelationshipEvidenceRow extends OfChunk, Spanned {
  readonly source_node: string;
  readonly target_node: string;
  readonly type: string;
  /** In thousandths. */
  readonly confidence: number;
  readonly extractor: string;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
}

export interface UnfitFactRow extends OfChunk {
  readonly kind: "entity" | "relationship";
  readonly source_type: string;
  readonly name: string;
  readonly target_type: string;
  readonly count: number;
  readonly example: string;
}

/** Which part of which version brought a row into the graph: what is counted as created by its job. */
interface Made {
  readonly made_version: number;
  /** The part's first chunk. */
  readonly made_position: number;
}

/** A node while any chunk of a live version contributes to it. */
export interface EntityRow extends Made {
  readonly project_id: string;
  readonly node_id: string;
  readonly type: string;
  readonly name_key: string;
  /** The least node of those that are one entity with it. */
  readonly entity_id: string;
  readonly chunks: number;
}

export interface EntityNameRow {
  readonly project_id: string;
  readonly node_id: string;
  readonly name: string;
  readonly mentions: number;
}

export interface EntityPropertyRow {
  readonly project_id: string;
  readonly node_id: string;
  readonly property: string;
  readonly value: string;
  readonly chunks: number;
}

/** A join by rule counts once both nodes are there. */
export interface EntityJoinRow {
  readonly project_id: string;
  readonly node_a: string;
  readonly node_b: string;
  readonly origin: JoinOrigin;
  readonly chunks: number;
}

export interface RelationshipRow extends Made {
  readonly project_id: string;
  readonly source_node: string;
  readonly target_node: string;
  readonly type: string;
  readonly chunks: number;
}
