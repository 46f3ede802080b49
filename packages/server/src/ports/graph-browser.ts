import type { EvidencePlace, ListedEntity, Relationship } from "./graph-store.ts";

/** Entities in the order of `GraphBrowser.listEntitiesAfter`. */
export interface EntityCursor {
  /** Normal form. */
  readonly key: string;
  readonly type: string;
}

/** Relationships in the order of `GraphBrowser.listRelationshipsFrom`. */
export interface RelationshipCursor {
  readonly sourceId: string;
  readonly targetId: string;
  readonly type: string;
}

export interface RelationshipSearch {
  readonly type: string | null;
  /** At either end. */
  readonly entityId: string | null;
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
   * The best supported first, then by the names of source and target, type and ids. Without an entity, only
   * the first 20,000 relationships between names of the project are read. Counts at most 10,000.
   */
  searchRelationships(
    input: {
      projectId: string;
      page: { readonly limit: number; readonly offset: number };
    } & RelationshipSearch,
  ): Promise<{ readonly relationships: readonly Relationship[]; readonly total: number }>;
  /**
   * Relationships whose source is one of these entities (at most 100), ordered by source, target and type,
   * starting after the cursor. Of each, the most confident of its first places is included for its validity
   * times.
   */
  listRelationshipsFrom(input: {
    projectId: string;
    sourceIds: readonly string[];
    after: RelationshipCursor | null;
    limit: number;
  }): Promise<readonly Relationship[]>;
}
