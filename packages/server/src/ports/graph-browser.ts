import type { ChunkKey } from "../domain/document.ts";
import type { Span } from "../domain/graph.ts";
import type { Moment } from "../domain/validity.ts";
import type {
  EvidencePlace,
  GraphTypes,
  ListedEntity,
  Relationship,
  RelationshipPlace,
} from "./graph-store.ts";

/** Entities in the order of `GraphBrowser.listEntitiesAfter`. */
export interface EntityCursor {
  /** Normal form. */
  readonly key: string;
  readonly type: string;
}

/** An edge between two names: relationships and proposals between entities consist of these. */
export interface WalkedEdge {
  /** Numbers of nodes. */
  readonly source: number;
  readonly target: number;
  readonly type: string;
  /** Number of chunks that state it. */
  readonly chunks: number;
  /** Of a proposal, the highest of its chunks, in thousandths; else 0. */
  readonly confidence: number;
}

/** A chunk that states an edge, in the order in which the chunks of one of its two names are walked. */
export interface EdgePlace {
  readonly node: number;
  readonly other: number;
  readonly type: string;
  readonly versionId: number;
  readonly position: number;
}

/** Where a walk goes on. */
export interface EdgeCursor {
  /** The last name whose edges have been walked, or the one of `place`; null when the edges of one entity are walked. */
  readonly name: EntityCursor | null;
  /** The edges that end at the entity are walked, after those that begin there. */
  readonly isBackwards: boolean;
  readonly place: EdgePlace | null;
}

export type EdgeKind = "relationships" | "proposals";

export interface RelationshipSearch {
  readonly type: string | null;
  /** At either end. */
  readonly entityId: string | null;
  /** Of relationships, only statements that hold then count (`holdsAt`). Absent: all do. */
  readonly asOf?: Moment | null;
}

/** A relationship that is less sure than those of the graph. No relationship of its type joins its ends in its direction. */
export interface Proposal {
  readonly type: string;
  readonly source: ProposalEnd;
  readonly target: ProposalEnd;
  /** Number of chunks that state it. */
  readonly chunks: number;
  /** The highest of its chunks. */
  readonly confidence: number;
  /** The most confident sentences, each once; at most 3. */
  readonly evidence: readonly RelationshipPlace[];
}

export interface ProposalEnd {
  /** null: the name is no entity. */
  readonly entityId: string | null;
  readonly type: string;
  /** As written in the most confident sentence. */
  readonly name: string;
  /** The normal form that it has by now: a correction may have renamed it. */
  readonly key: string;
  /** Of the entity, or of the name. */
  readonly nodeId: string;
}

/** A name that is no entity, or the first one of an entity, in the order of `GraphBrowser.listProposalSources`. */
export interface ProposalSource extends EntityCursor {
  readonly nodeId: string;
}

/** A mention of an entity. Offsets into the document's text in UTF-16 code units. */
export interface PlacedMention extends Span {
  readonly entityId: string;
  /** Normal form of the name that is mentioned. */
  readonly key: string;
}

export interface MentionedChunk extends ChunkKey {
  /** Ordered by their offsets. */
  readonly mentions: readonly PlacedMention[];
}

/** How often an entity is mentioned, and whether it has a fact in common with a given one. */
export interface EntitySupport {
  readonly entityId: string;
  /** Number of chunks that mention it: once for each name, at most 1,000 for each. */
  readonly chunks: number;
  /** A relationship or a membership states something of the two, in either direction. */
  readonly isRelated: boolean;
}

/** Reads for browsing the graph. Like `GraphStore`, it returns only what live documents support. */
export interface GraphBrowser {
  /**
   * Entities with `part` in the normal form of one of their names: exact matches first, then prefix matches,
   * then by name and type. Counts and finds at most 10,000. Scans the names of the project up to that number
   * (100,000 names in about 10 ms), so do not call it while answering a question.
   */
  searchEntities(input: {
    projectId: string;
    /** Normal form; "" matches all names. */
    part: string;
    type: string | null;
    page: { readonly limit: number; readonly offset: number };
  }): Promise<{ readonly entities: readonly ListedEntity[]; readonly total: number }>;
  /** Ordered by normal form, then type, starting after the cursor; at most 500. */
  listEntitiesAfter(input: {
    projectId: string;
    after: EntityCursor | null;
    limit: number;
  }): Promise<readonly ListedEntity[]>;
  /**
   * Places in the first `limit` chunks (by version and position) that support the entity under any of its
   * names: of each chunk the first 8 mentions, or without mentions the first statements about the entity.
   */
  readEntityEvidence(input: {
    projectId: string;
    entityId: string;
    limit: number;
  }): Promise<readonly EvidencePlace[]>;
  /**
   * Walks the edges of a project, ordered by the name of the source, or those of one entity, in steps of a bounded number of
   * rows, whatever the type. The edge that was walked last may go on in the next step, with the rest of its chunks.
   */
  walkEdges(
    input: {
      projectId: string;
      kind: EdgeKind;
      /** null = from the beginning. */
      after: EdgeCursor | null;
      /** Edges with as many chunks or fewer can be left out. */
      floor: number;
    } & RelationshipSearch,
  ): Promise<{ readonly edges: readonly WalkedEdge[]; readonly next: EdgeCursor | null }>;
  /** The entities that these names (at most 8,192) belong to, keyed by the number of the node; without names that are none. */
  findEntitiesOfNodes(input: {
    projectId: string;
    nodes: readonly number[];
  }): Promise<ReadonlyMap<number, string>>;
  /**
   * A page of the relationships that consist of these edges (at most 10,000), the best supported first, then by the names of
   * source and target, type and ids.
   */
  rankRelationships(input: {
    projectId: string;
    edges: readonly WalkedEdge[];
    page: { readonly limit: number; readonly offset: number };
    /** Sentences are of statements that hold then. */
    asOf?: Moment | null;
  }): Promise<{ readonly relationships: readonly Relationship[]; readonly total: number }>;
  /**
   * As `rankRelationships`, for proposals: the most confident first, then the best supported.
   */
  rankProposals(input: {
    projectId: string;
    edges: readonly WalkedEdge[];
    page: { readonly limit: number; readonly offset: number };
  }): Promise<{ readonly proposals: readonly Proposal[]; readonly total: number }>;
  /** The types of the first 10,000 proposals between names, and how many there are of each. Reads all of these. */
  readProposalTypes(input: { projectId: string }): Promise<GraphTypes["relationships"]>;
  /** What may be the source of a proposal, by normal form, then type, starting after the cursor; at most 500. */
  listProposalSources(input: {
    projectId: string;
    after: EntityCursor | null;
    limit: number;
  }): Promise<readonly ProposalSource[]>;
  /** Proposals of these sources (at most 100), each once, in steps of a bounded number of rows: not every step has some. */
  listProposalsFrom(input: {
    projectId: string;
    nodeIds: readonly string[];
    after: EdgePlace | null;
    limit: number;
  }): Promise<{ readonly proposals: readonly Proposal[]; readonly next: EdgePlace | null }>;
  /**
   * The first `limit` chunks (by version and position) that mention the entity, each with the mentions of all
   * entities. At most 256.
   */
  readMentionsAround(input: {
    projectId: string;
    entityId: string;
    limit: number;
  }): Promise<readonly MentionedChunk[]>;
  /**
   * The support of these entities (at most 99), and whether they are related to `entityId`. Ids that no longer
   * exist are omitted.
   */
  readSupport(input: {
    projectId: string;
    entityId: string;
    otherIds: readonly string[];
  }): Promise<readonly EntitySupport[]>;
  /** Number of chunks of live versions. Reads a row of each document. */
  countChunks(input: { projectId: string }): Promise<number>;
}
