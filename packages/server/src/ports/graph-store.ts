import type { ChunkKey } from "../domain/document.ts";
import type { ChunkFacts, EntityKey, Span, Subject, SubjectKind, UnfitFact } from "../domain/graph.ts";
import type { BoundOntology } from "../domain/ontology.ts";
import type { Fact } from "../domain/ontology-schema.ts";

/** What is written of a chunk beside its text and vector. */
export interface ChunkGraph {
  /** The chunk's place in its document. */
  readonly position: number;
  /** A `PassageKnowledge` as bytes; the store does not look into them. null = none. */
  readonly passage: Uint8Array | null;
  readonly subjects: readonly Subject[];
  /** Left out where no facts are extracted. */
  readonly facts?: ChunkFacts;
}

/** A chunk that is about a name. */
export interface AboutPassage extends ChunkKey {
  readonly name: string;
  readonly kind: SubjectKind;
}

export interface PassagesAbout {
  /** How many documents are about the name, counted over its first 2,000 passages. */
  readonly documents: number;
  /** By position, then version: the beginnings of several documents come before the rest of one. */
  readonly passages: readonly AboutPassage[];
}

/** Where a text says something; offsets into the document's text in UTF-16 code units. */
export interface EvidencePlace extends ChunkKey, Span {
  /** 0…1, in thousandths. */
  readonly confidence: number;
}

export interface Entity {
  /** For as long as the entity's name first met is there; no meaning beyond that. */
  readonly entityId: string;
  readonly type: string;
  /** The form that most chunks write, counted over the first 64 of each name; of equals the first by code unit. */
  readonly name: string;
  /** Other written forms, those of most chunks first; at most 20. */
  readonly aliases: readonly string[];
  /** Normal forms, by code unit. */
  readonly keys: readonly string[];
  /** By property, then by how many chunks say so; values that contradict each other stay side by side. At most 50. */
  readonly properties: readonly EntityProperty[];
  /** Chunks that support it, each counted once for each of the entity's names that it has, and of each name at most 250. */
  readonly chunks: number;
  /** The surest of the first mentions of its best supported name; at most 3. */
  readonly mentions: readonly EvidencePlace[];
}

export interface EntityProperty {
  readonly property: string;
  readonly value: string;
  /** Chunks that say so. */
  readonly chunks: number;
  /** Of its best supported name, by version and position; at most 3. */
  readonly places: readonly (ChunkKey & Span)[];
}

/** A chunk names an entity. */
export interface EntityInPassage extends ChunkKey, EntityKey {
  readonly entityId: string;
}

export interface ListedEntity extends EntityKey {
  readonly entityId: string;
}

/** A node of an upper level gathers another entity. */
export interface EntityMember {
  readonly parentId: string;
  readonly memberId: string;
  /** Chunks that say so. */
  readonly chunks: number;
}

/** An entity is in a chunk. */
export interface EntityChunk extends ChunkKey {
  readonly entityId: string;
}

/** A relationship by its ends; of an entity with several names, by the first of those that take part in the ones listed. */
export interface ListedRelationship {
  readonly type: string;
  readonly source: ListedEntity;
  readonly target: ListedEntity;
  /** Chunks that say so. */
  readonly chunks: number;
}

export interface Relationship {
  readonly type: string;
  readonly sourceId: string;
  readonly targetId: string;
  /** Chunks that say so. */
  readonly chunks: number;
  /** Of the surest evidence; null without places. */
  readonly confidence: number | null;
  /** The sentences, surest first; at most 3 of those of the first chunks. */
  readonly evidence: readonly RelationshipPlace[];
}

export interface RelationshipPlace extends EvidencePlace {
  readonly extractor: string;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

/** What a graph is made of. */
export interface GraphTypes {
  readonly entities: readonly { readonly type: string; readonly count: number }[];
  /** Between names: what two names of one entity have counts twice. */
  readonly relationships: readonly {
    readonly type: string;
    readonly sourceType: string;
    readonly targetType: string;
    readonly count: number;
  }[];
}

/** Where texts say it takes longer to find than what they say. */
export interface PlacesWanted {
  /** False: none is given. True when left out. */
  readonly withPlaces?: boolean;
  /** Places in these chunks alone, under any name of an entity, instead of the first of all; at most 500. */
  readonly within?: readonly ChunkKey[];
}

/** Reads see live documents only, a first version from its first batch on. */
export interface GraphStore {
  /** By normal form, exactly; names that no passage is about are not in the map. At most 500 names a call. */
  findAbout(input: {
    projectId: string;
    names: readonly string[];
    maxPerName: number;
  }): Promise<ReadonlyMap<string, PassagesAbout>>;
  /** Names with these ends (`endsOfName`) that some passage is about, by code unit. At most 500 ends a call. */
  findByEnds(input: {
    projectId: string;
    ends: readonly string[];
    maxPerEnd: number;
  }): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The bytes of `ChunkGraph.passage` in the order of the keys; null where there are none. At most 1,024 keys a call. */
  readPassages(input: {
    projectId: string;
    keys: readonly ChunkKey[];
  }): Promise<readonly (Uint8Array | null)[]>;
  /**
   * Entities one of whose names has one of these normal forms, of any type; the best supported first. At most 500 keys
   * a call; of what they find 200 are compared.
   */
  findEntitiesByKeys(
    input: {
      projectId: string;
      keys: readonly string[];
      limit: number;
    } & PlacesWanted,
  ): Promise<readonly Entity[]>;
  /** What the chunks contribute to, by version, position and name. At most 500 chunks a call. */
  findEntitiesIn(input: {
    projectId: string;
    passages: readonly ChunkKey[];
    limit: number;
  }): Promise<readonly EntityInPassage[]>;
  /** In the order of the ids, without those that are gone. At most 100 ids a call. */
  readEntities(
    input: { projectId: string; entityIds: readonly string[] } & PlacesWanted,
  ): Promise<readonly Entity[]>;
  /** Entities by a normal form of theirs, then by type, and how many there are, counted up to 10,000. */
  listEntities(input: {
    projectId: string;
    type?: string;
    /** Of the normal form. */
    prefix?: string;
    page: { readonly limit: number; readonly offset: number };
  }): Promise<{ readonly entities: readonly ListedEntity[]; readonly total: number }>;
  /** What nodes of an upper level gather: by parent, then the best supported first. At most 100 ids a call, and 500 members of each name. */
  readMembers(input: {
    projectId: string;
    entityIds: readonly string[];
    limit: number;
  }): Promise<readonly EntityMember[]>;
  /**
   * Relationships that these entities have: those between two of them first, then the best supported. At most 100 ids
   * a call; of each name of theirs 100 places are looked at in each direction, and 2,000 between them.
   */
  findRelationships(
    input: {
      projectId: string;
      entityIds: readonly string[];
      limit: number;
    } & PlacesWanted,
  ): Promise<readonly Relationship[]>;
  /**
   * All relationships of these kinds, by normal form of source, target and type. Looks at the first 10,000 names of the project that
   * may be sources and at 50,000 places: not for the path of every question.
   */
  listRelationships(input: {
    projectId: string;
    kinds: readonly Fact[];
    limit: number;
  }): Promise<readonly ListedRelationship[]>;
  /** Chunks that contribute to the entities, of each name the first 64, by version and position. At most 100 ids a call. */
  listChunksOf(input: { projectId: string; entityIds: readonly string[] }): Promise<readonly EntityChunk[]>;
  /** null where the project is gone or bound to no ontology. */
  readOntologyOf(input: { projectId: string }): Promise<BoundOntology | null>;
  /** What did not fit the ontology, the most frequent first. Reads all of it: not for the path of a question. */
  readFitReport(input: { projectId: string; limit: number }): Promise<readonly UnfitFact[]>;
  /** Types with their counts, the most frequent first, at most 1,000 of each. Cheap: the counts are kept. */
  readGraphTypes(input: { projectId: string }): Promise<GraphTypes>;
}
