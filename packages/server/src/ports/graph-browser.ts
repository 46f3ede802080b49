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

/** The graph for those who look through it; like `GraphStore` it shows live documents only. */
export interface GraphBrowser {
  /**
   * Entities that have `part` in a normal form of one of their names: those called so first, then those whose name begins so,
   * then by name and type. Counted up to 10,000, and of more only those are found. Goes through the names of the project until then
   * (100,000 in some 10 ms): not for the path of a question.
   */
  searchEntities(input: {
    projectId: string;
    /** Normal form; "" = all. */
    part: string;
    type: string | null;
    page: { readonly limit: number; readonly offset: number };
  }): Promise<{ readonly entities: readonly ListedEntity[]; readonly total: number }>;
  /** By normal form, then type, beginning behind the cursor; at most 500. */
  listEntitiesAfter(input: {
    projectId: string;
    after: EntityCursor | null;
    limit: number;
  }): Promise<readonly ListedEntity[]>;
  /**
   * Places in the first `limit` chunks (by version and position) that support the entity under any of its names: in each the
   * first 8 mentions, or else the first things that are said of it.
   */
  readEntityEvidence(input: {
    projectId: string;
    entityId: string;
    limit: number;
  }): Promise<readonly EvidencePlace[]>;
  /**
   * The best supported first, then by the names of source and target, type and ids. All of a project are those of the first
   * 20,000 that names have with each other, counted up to 10,000.
   */
  searchRelationships(
    input: {
      projectId: string;
      page: { readonly limit: number; readonly offset: number };
    } & RelationshipSearch,
  ): Promise<{ readonly relationships: readonly Relationship[]; readonly total: number }>;
  /**
   * What begins at these entities (at most 100), by source, target and type, beginning behind the cursor; of each the surest
   * of its first places, for the times that it states.
   */
  listRelationshipsFrom(input: {
    projectId: string;
    sourceIds: readonly string[];
    after: RelationshipCursor | null;
    limit: number;
  }): Promise<readonly Relationship[]>;
}
