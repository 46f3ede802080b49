import type { ChunkKey } from "../domain/document.ts";
import type { ChunkFacts, EntityKey, Span, Subject, SubjectKind, UnfitFact } from "../domain/graph.ts";
import type { BoundOntology } from "../domain/ontology.ts";
import type { Fact } from "../domain/ontology-schema.ts";
import type { Moment, Validity } from "../domain/validity.ts";

/** The graph data that is stored with a chunk, in addition to its text and vector. */
export interface ChunkGraph {
  /** Position of the chunk in its document. */
  readonly position: number;
  /** An encoded `PassageKnowledge`, which the store does not decode; null = none. */
  readonly passage: Uint8Array | null;
  readonly subjects: readonly Subject[];
  /** Absent when no facts are extracted. */
  readonly facts?: ChunkFacts;
}

/** A chunk that is about a name. */
export interface AboutPassage extends ChunkKey {
  readonly name: string;
  readonly kind: SubjectKind;
}

export interface PassagesAbout {
  /** Number of documents about the name, counted over its first 2,000 passages. */
  readonly documents: number;
  /** Ordered by position, then version: the first chunks of all documents come before later chunks of any. */
  readonly passages: readonly AboutPassage[];
}

/**
 * A span of a document that is evidence for something. Offsets into the document's text in UTF-16 code units.
 */
export interface EvidencePlace extends ChunkKey, Span {
  /** 0…1, rounded to thousandths. */
  readonly confidence: number;
}

export interface Entity {
  /** Valid as long as the first stored name of the entity exists. Opaque. */
  readonly entityId: string;
  readonly type: string;
  /**
   * The written form that occurs in most chunks, counted over the first 64 chunks of each name; ties by code
   * unit.
   */
  readonly name: string;
  /** Other written forms, the most frequent first; at most 20. */
  readonly aliases: readonly string[];
  /** Normal forms, by code unit. */
  readonly keys: readonly string[];
  /** Ordered by property, then by number of chunks. Contradicting values are all kept. At most 50. */
  readonly properties: readonly EntityProperty[];
  /**
   * Number of supporting chunks: a chunk counts once per name of the entity that it contains; at most 250 per
   * name.
   */
  readonly chunks: number;
  /** The most confident of the first mentions of its best supported name; at most 3. */
  readonly mentions: readonly EvidencePlace[];
}

export interface EntityProperty {
  readonly property: string;
  readonly value: string;
  /** Number of chunks that state it. */
  readonly chunks: number;
  /** Places under its best supported name, by version and position; at most 3. */
  readonly places: readonly (ChunkKey & Span)[];
}

/** A chunk that mentions an entity, with the name under which it does. */
export interface EntityInPassage extends ChunkKey, EntityKey {
  readonly entityId: string;
}

/** What a sentence of a chunk states of a relationship whose type has times. */
export interface TimedStatement extends ChunkKey, Span {
  readonly type: string;
  /** Normal forms of the names. */
  readonly source: string;
  readonly target: string;
  /** A day, month or year; null where it is not stated. */
  readonly began: string | null;
  /** When the text was written, likewise; null where that is not known. */
  readonly told: string | null;
  /** By what all texts tell together. */
  readonly holds: boolean;
}

export interface ListedEntity extends EntityKey {
  readonly entityId: string;
}

/** The membership of an entity in a node of an upper level. */
export interface EntityMember {
  readonly parentId: string;
  readonly memberId: string;
  /** Number of chunks that state it. */
  readonly chunks: number;
}

/** A chunk that contributes to an entity. */
export interface EntityChunk extends ChunkKey {
  readonly entityId: string;
}

/**
 * A relationship with its two ends. An entity with several names appears under the first name that occurs in
 * the listed relationships.
 */
export interface ListedRelationship {
  readonly type: string;
  readonly source: ListedEntity;
  readonly target: ListedEntity;
  /** Number of chunks that state it. */
  readonly chunks: number;
}

export interface Relationship {
  readonly type: string;
  readonly sourceId: string;
  readonly targetId: string;
  /** Number of chunks that state it. */
  readonly chunks: number;
  /** Of the surest sentence, among those requested; null when no places were requested. */
  readonly confidence: number | null;
  /** A person has confirmed or added it. Absent: no. */
  readonly isConfirmed?: boolean;
  /** That a person gave it who added it. Absent or null: none. */
  readonly addedTimes?: Validity | null;
  /** The most confident sentences, each once; at most 3. */
  readonly evidence: readonly RelationshipPlace[];
}

export interface RelationshipPlace extends EvidencePlace, Validity {
  readonly extractor: string;
  /** Of a proposal: its ends as written. */
  readonly sourceName?: string;
  readonly targetName?: string;
}

/** The types that occur in a graph, with their counts. */
export interface GraphTypes {
  readonly entities: readonly { readonly type: string; readonly count: number }[];
  /** Counted between names: a relationship that two names of one entity have counts twice. */
  readonly relationships: readonly {
    readonly type: string;
    readonly sourceType: string;
    readonly targetType: string;
    readonly count: number;
  }[];
}

/** Controls the reading of places, which costs more than reading the facts themselves. */
export interface PlaceOptions {
  /** False: no places are returned. Default: true. */
  readonly withPlaces?: boolean;
  /**
   * Return places in these chunks only, under any name of an entity, instead of the first places overall. At
   * most 500.
   */
  readonly within?: readonly ChunkKey[];
}

/**
 * Reads return data of live documents only; the first version of a document counts from its first batch on.
 */
export interface GraphStore {
  /**
   * Exact match of normal forms. Names that no passage is about are not in the map. At most 500 names a call.
   */
  findAbout(input: {
    projectId: string;
    names: readonly string[];
    maxPerName: number;
  }): Promise<ReadonlyMap<string, PassagesAbout>>;
  /**
   * Names with these ends (`endsOfName`) that at least one passage is about, ordered by code unit. At most
   * 500 ends a call.
   */
  findByEnds(input: {
    projectId: string;
    ends: readonly string[];
    maxPerEnd: number;
  }): Promise<ReadonlyMap<string, readonly string[]>>;
  /**
   * The bytes of `ChunkGraph.passage` in the order of the keys; null for a chunk without any. At most 1,024
   * keys a call.
   */
  readPassages(input: {
    projectId: string;
    keys: readonly ChunkKey[];
  }): Promise<readonly (Uint8Array | null)[]>;
  /**
   * Entities of any type with a name that has one of these normal forms; the best supported first. At most
   * 500 keys a call; at most 200 matches are ranked.
   */
  findEntitiesByKeys(
    input: {
      projectId: string;
      keys: readonly string[];
      limit: number;
    } & PlaceOptions,
  ): Promise<readonly Entity[]>;
  /** The entities that these chunks support, by version, position and name. At most 500 chunks a call. */
  findEntitiesIn(input: {
    projectId: string;
    passages: readonly ChunkKey[];
    limit: number;
  }): Promise<readonly EntityInPassage[]>;
  /** In the order of the ids; ids that no longer exist are omitted. At most 100 ids a call. */
  readEntities(
    input: { projectId: string; entityIds: readonly string[] } & PlaceOptions,
  ): Promise<readonly Entity[]>;
  /** Entities ordered by one of their normal forms, then by type, with their number, counted up to 10,000. */
  listEntities(input: {
    projectId: string;
    type?: string;
    /** Prefix of the normal form. */
    prefix?: string;
    page: { readonly limit: number; readonly offset: number };
  }): Promise<{ readonly entities: readonly ListedEntity[]; readonly total: number }>;
  /**
   * The members of nodes of an upper level: by parent, then the best supported first. At most 100 ids a call,
   * and 500 members of each name.
   */
  readMembers(input: {
    projectId: string;
    entityIds: readonly string[];
    limit: number;
  }): Promise<readonly EntityMember[]>;
  /**
   * Relationships of these entities: those between two of them first, then the best supported. At most 100
   * ids a call. Reads at most 100 rows per name in each direction, and 2,000 between the entities. With `asOf`, only statements
   * that hold then count (`holdsAt`).
   */
  findRelationships(
    input: {
      projectId: string;
      entityIds: readonly string[];
      limit: number;
      asOf?: Moment | null;
    } & PlaceOptions,
  ): Promise<readonly Relationship[]>;
  /** Of these chunks, at most 16: whether what they state holds then. At most 256 statements. */
  readTimedStatements(input: {
    projectId: string;
    keys: readonly ChunkKey[];
    asOf: Moment;
  }): Promise<readonly TimedStatement[]>;
  /**
   * All relationships of these kinds, by normal form of source, target and type. Reads the first 10,000 names
   * of the project that can be sources, and 50,000 rows, so do not call it for every question.
   */
  listRelationships(input: {
    projectId: string;
    kinds: readonly Fact[];
    limit: number;
  }): Promise<readonly ListedRelationship[]>;
  /**
   * Chunks that support the entities, by version and position; the first 64 of each name. At most 100 ids a
   * call.
   */
  listChunksOf(input: { projectId: string; entityIds: readonly string[] }): Promise<readonly EntityChunk[]>;
  /** null when the project does not exist or is not bound to an ontology. */
  readOntologyOf(input: { projectId: string }): Promise<BoundOntology | null>;
  /**
   * Facts that did not fit the ontology, the most frequent first. Reads all of them, so do not call it while
   * answering a question.
   */
  readFitReport(input: { projectId: string; limit: number }): Promise<readonly UnfitFact[]>;
  /**
   * Types with their counts, the most frequent first, at most 1,000 of each. Cheap, since the counts are
   * stored.
   */
  readGraphTypes(input: { projectId: string }): Promise<GraphTypes>;
}
